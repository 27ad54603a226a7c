import FoundationEssentials
import PinpostCore
import Testing

@Suite("Whose turn it is", .timeLimit(.minutes(10)))
struct FairnessTests {
    @Test("tenants of a server take turns, whatever one of them has queued", arguments: StoreBackend.allCases)
    func roundRobin(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant("ada")
            let (bob, _) = try await test.store.addTenant("bob", on: server)
            let (cyd, _) = try await test.store.addTenant("cyd", on: server)
            try await test.store.enqueue((0..<6).map { .link($0) }, for: ada)
            try await test.store.enqueue((0..<2).map { .link($0) }, for: bob)
            try await test.store.enqueue((0..<2).map { .link($0) }, for: cyd)
            let lease = try await test.store.lease()
            var turns: [String] = []
            while let item = try await test.store.take(.prepare, lease).first {
                turns.append(item.tenant == ada.id ? "ada" : item.tenant == bob.id ? "bob" : "cyd")
            }
            #expect(Set(turns.prefix(3)) == ["ada", "bob", "cyd"])
            #expect(Set(turns[3..<6]) == ["ada", "bob", "cyd"])
            #expect(turns.suffix(4) == ["ada", "ada", "ada", "ada"])
        }
    }

    @Test("tenants who have their share are passed over and keep their turn", arguments: StoreBackend.allCases)
    func passedOver(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant("ada")
            let (bob, _) = try await test.store.addTenant("bob", on: server)
            try await test.store.enqueue((0..<3).map { .link($0) }, for: ada)
            try await test.store.enqueue([.link(0)], for: bob, at: .noon + 1)
            let lease = try await test.store.lease()
            let later = Date.noon + 2
            #expect(
                try await test.store.take(.prepare, lease, passingOver: [ada.id], at: later).map(\.tenant) == [bob.id])
            #expect(try await test.store.take(.prepare, lease, passingOver: [ada.id], at: later).isEmpty)
            #expect(
                try await test.store.take(.prepare, lease, passingOver: [bob.id], at: later).map(\.tenant) == [ada.id])
        }
    }

    @Test("turns also follow the clock", arguments: StoreBackend.allCases)
    func movingClock(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant("ada")
            let (bob, _) = try await test.store.addTenant("bob", on: server)
            try await test.store.enqueue((0..<50).map { .link($0) }, for: ada)
            let lease = try await test.store.lease()
            for second in 1...10 { _ = try await test.store.take(.prepare, lease, at: .noon + Double(second)) }
            try await test.store.enqueue([.link(0), .link(1)], for: bob, at: .noon + 10.5)
            var turns: [Tenant.ID] = []
            for second in 11...14 {
                turns += try await test.store.take(.prepare, lease, at: .noon + Double(second)).map(\.tenant)
            }
            #expect(turns == [ada.id, bob.id, ada.id, bob.id])
        }
    }

    @Test(
        "within a tenant: order of arrival, each item to its pin, then the board for all",
        arguments: StoreBackend.allCases)
    func orderWithin(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let messages = [
                try await test.store.enqueue([.link(0), .link(1)], for: tenant),
                try await test.store.enqueue([.link(0)], for: tenant),
            ]
            let lease = try await test.store.lease()
            while let item = try await test.store.take(.prepare, lease).first {
                let picture = PreparedPicture(bytes: .inline("jpeg"), type: .jpeg)
                try await test.store.advance(
                    item.id, to: .upload, learning: .prepared(picture), under: lease, now: .noon)
            }
            var calls: [String] = []
            while true {
                let taken = try await test.store.take(.deliver, lease)
                guard let item = taken.first else { break }
                let place = taken.map { "\(messages.firstIndex(of: $0.message) ?? 9).\($0.sequence)" }.sorted()
                calls.append("\(item.step) \(place.joined(separator: " "))")
                for item in taken { try await move(item, in: test.store, under: lease) }
            }
            #expect(
                calls == [
                    "upload 0.0", "pin 0.0", "upload 0.1", "pin 0.1", "board 0.0 0.1", "upload 1.0", "pin 1.0",
                    "board 1.0",
                ])
        }
    }

    private func move(_ item: Item, in store: any Store, under lease: ServerLease) async throws {
        switch item.step {
        case .upload:
            let facts = StepFacts.uploaded(ImageID(Int64(item.sequence + 1)), floor: PinID(0))
            try await store.advance(item.id, to: .pin, learning: facts, under: lease, now: .noon)
        case .pin:
            let facts = StepFacts.pinned(PinID(Int64(item.sequence + 1)), board: BoardID(3))
            try await store.advance(item.id, to: .board, learning: facts, under: lease, now: .noon)
        default: try await store.settle(item.id, as: .done(note: nil), under: lease, now: .noon)
        }
    }

    @Test("at most ten items go to a board at once, all of one tenant and one board", arguments: StoreBackend.allCases)
    func boardBatches(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant("ada")
            let (bob, _) = try await test.store.addTenant("bob", on: server)
            try await test.store.enqueue((0..<13).map { .link($0) }, for: ada)
            try await test.store.enqueue([.link(0)], for: bob)
            let lease = try await test.store.lease()
            while let item = try await test.store.take(.prepare, lease).first {
                // Item 12 waits for another board than the rest.
                let board = BoardID(item.sequence == 12 ? 4 : 3)
                try await test.store.advance(
                    item.id, to: .board, learning: .pinned(PinID(1), board: board), under: lease, now: .noon)
            }
            var sizes: [Int] = []
            while true {
                let batch = try await test.store.take(.deliver, lease)
                if batch.isEmpty { break }
                #expect(Set(batch.map(\.tenant)).count == 1)
                #expect(Set(batch.map(\.facts.board)).count == 1)
                #expect(batch.allSatisfy { $0.attempt == 1 && $0.state == .running })
                sizes.append(batch.count)
            }
            #expect(sizes.sorted() == [1, 1, 2, 10])
        }
    }

    @Test("a stopped tenant waits while the others go on, until a person acts", arguments: StoreBackend.allCases)
    func stoppedTenant(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant("ada")
            let (bob, _) = try await test.store.addTenant("bob", on: server)
            try await test.store.enqueue([.link(0)], for: ada)
            try await test.store.enqueue([.link(0)], for: bob)
            try await test.store.stopTenant(ada.id, reason: "token refused")
            try await test.store.enqueue([.link(0)], for: ada)
            #expect(try await test.store.tenant(ada.id)?.status == .stopped(reason: "token refused"))
            let lease = try await test.store.lease()
            #expect(try await test.store.take(.prepare, lease).map(\.tenant) == [bob.id])
            #expect(try await test.store.take(.prepare, lease).isEmpty)
            try await test.store.update(ada, on: server)
            #expect(try await test.store.tenant(ada.id)?.status == .active)
            #expect(try await test.store.take(.prepare, lease).map(\.tenant) == [ada.id])
            #expect(try await test.store.take(.prepare, lease).map(\.tenant) == [ada.id])
            #expect(try await test.store.take(.prepare, lease).isEmpty)
        }
    }
}
