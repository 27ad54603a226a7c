import FoundationEssentials
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Delivery to a server that takes small pictures only", .timeLimit(.minutes(10)))
struct UploadLimitTests {
    private static let upload = "POST /api/v2/images/"
    private static let remedy = "raise client_max_body_size"

    /// 600 KB that stay 600 KB unless there are fewer pixels.
    private func big(_ seed: Int) -> [UInt8] { TestPicture.noise(seed: seed, width: 500, height: 400) }

    private func limit(on stage: DeliveryStage) async throws -> Int? {
        try await stage.store.server(stage.server.id)?.uploadLimit
    }

    @Test("a picture that is refused for its size is pinned smaller, and the next one is sent small at once")
    func madeSmaller() async throws {
        try await DeliveryStage.open(converter: RealConverter.make) { stage in
            stage.pinry.change { $0.largestBody = 500_000 }
            let first = try await stage.enqueue([big(1)])[0]
            try await stage.work()
            #expect(try await stage.item(first).state == .done)
            #expect(stage.pinry.requests(like: Self.upload) == 2)
            #expect(try await limit(on: stage).map { (400_000..<500_000).contains($0) } == true)
            let second = try await stage.enqueue([big(2), TestPicture.png(seed: 3)])
            try await stage.work()
            for id in second { #expect(try await stage.item(id).state == .done) }
            #expect(stage.pinry.requests(like: Self.upload) == 4 && stage.pinry.pins.count == 3)
        }
    }

    @Test("pictures that were ready before the limit was known are made smaller without being refused")
    func readyBefore() async throws {
        try await DeliveryStage.open(converter: RealConverter.make) { stage in
            stage.pinry.change { $0.largestBody = 500_000 }
            let early = try await stage.enqueue([big(1), big(2), big(3)])
            for id in early { try await stage.work(on: id, until: .upload) }
            try await stage.work()
            for id in early { #expect(try await stage.item(id).state == .done) }
            #expect(stage.pinry.requests(like: Self.upload) == 4 && stage.pinry.pins.count == 3)
        }
    }

    @Test("what cannot get smaller is parked, and says what to do", arguments: Server.Dialect.allCases)
    func parked(_ dialect: Server.Dialect) async throws {
        try await DeliveryStage.open(dialect: dialect) { stage in
            stage.pinry.change { $0.largestBody = 500_000 }
            let id = try await stage.enqueue([big(1)])[0]
            try await stage.work()
            let item = try await stage.item(id)
            #expect(item.state == .parked && item.reason?.contains(Self.remedy) == true)
            #expect(stage.pinry.requests(like: "POST") == 1 && stage.pinry.pins.isEmpty)
        }
    }

    @Test("a server that takes next to nothing is not asked for ever")
    func floor() async throws {
        try await DeliveryStage.open(converter: RealConverter.make) { stage in
            stage.pinry.change { $0.largestBody = 100_000 }
            let id = try await stage.enqueue([big(1)])[0]
            try await stage.work()
            let item = try await stage.item(id)
            #expect(item.state == .parked && item.reason?.contains(Self.remedy) == true)
            #expect(try await limit(on: stage).map { $0 >= UploadLimit.least } == true)
            #expect(stage.pinry.requests(like: Self.upload) < 5)
        }
    }

    @Test("a process that dies after the refusal goes on with the smaller picture")
    func crash() async throws {
        try await DeliveryStage.open(converter: RealConverter.make) { stage in
            stage.pinry.change { $0.largestBody = 500_000 }
            let id = try await stage.enqueue([big(1)])[0]
            try await stage.work(on: id, until: .upload)
            try await stage.refuse(id)
            #expect(try await stage.item(id).step == .prepare)
            try await stage.crash()
            try await stage.work()
            #expect(try await stage.item(id).state == .done && stage.pinry.pins.count == 1)
            #expect(stage.pinry.requests(like: Self.upload) == 2)
        }
    }
}

extension DeliveryStage {
    /// Makes the one call that is due to Pinry, which fails.
    fileprivate func refuse(_ id: Item.ID) async throws {
        let lease = try #require(
            try await store.leaseServers(upTo: 1, now: clock.now, until: clock.now + 60).first)
        let runner = try runner()
        let items = try await runner.take(.deliver, from: lease)
        try #require(items.map(\.id) == [id])
        try await runner.perform(items, under: lease)
    }
}
