import FoundationEssentials
import PinpostTesting
import StoreSQLite
import Testing

@testable import PinpostCore

@Suite("Pages that are pinned already", .timeLimit(.minutes(10)))
struct AlreadyPinnedTests {
    static let page = "https://example.com/page"

    /// A pinned page that was sent once more, and what became of that.
    fileprivate func sentTwice(
        on stage: DeliveryStage, _ meanwhile: (DeliveryStage, Item) async throws -> Void = { _, _ in }
    ) async throws -> (first: Item, second: Item) {
        let first = try await stage.enqueueLink(Self.page)
        try await stage.work()
        try await meanwhile(stage, try await stage.item(first))
        stage.clock.move(by: 60)
        let second = try await stage.enqueueLink(Self.page)
        try await stage.work()
        return (try await stage.item(first), try await stage.item(second))
    }

    private func expectOnePin(_ first: Item, _ second: Item, on stage: DeliveryStage) {
        #expect(second.state == .done && second.reason?.hasPrefix("Already pinned: ") == true)
        #expect(second.facts.pin == first.facts.pin && stage.pinry.pins.count == 1)
    }

    @Test("a page whose pin is there is not pinned again")
    func there() async throws {
        try await DeliveryStage.open { stage in
            let (first, second) = try await sentTwice(on: stage)
            expectOnePin(first, second, on: stage)
        }
    }

    @Test("a page whose pin was deleted in Pinry is pinned anew, and that pin counts from then on")
    func deleted() async throws {
        try await DeliveryStage.open { stage in
            let (first, second) = try await sentTwice(on: stage) { stage, item in
                stage.pinry.deletePin(try #require(item.facts.pin))
            }
            #expect(stage.pinry.pins.map(\.id) == [second.facts.pin])
            #expect(second.facts.pin != first.facts.pin && second.state == .done && second.reason == nil)
            let third = try await stage.enqueueLink(Self.page)
            try await stage.work()
            expectOnePin(second, try await stage.item(third), on: stage)
        }
    }

    @Test("where Pinry gives no clear answer the pin counts as there", arguments: [PinryFault.Act.reset, .status(502)])
    func unclear(_ act: PinryFault.Act) async throws {
        try await DeliveryStage.open { stage in
            let (first, second) = try await sentTwice(on: stage) { stage, _ in
                stage.pinry.misbehave([PinryFault(act, .before, on: "GET /api/v2/pins/", times: 1)])
            }
            expectOnePin(first, second, on: stage)
        }
    }

    @Test("a picture that cannot be had, or is given up, leaves the page pinned as it was")
    func failedReplacement() async throws {
        try await DeliveryStage.open { stage in
            let (first, second) = try await sentTwice(on: stage) { stage, item in
                let replacement = Replacement(
                    picture: "https://example.com/b.png", pin: try #require(item.facts.pin), floor: PinID(0))
                try await stage.store.replace(item.id, with: replacement, now: stage.clock.now)
                try await stage.store.cancel(item.id, now: stage.clock.now)
            }
            #expect(first.state == .cancelled && stage.pinry.pins.map(\.id) == [second.facts.pin])
            #expect(second.reason?.hasPrefix("Already pinned: ") == true)
        }
    }
}

extension AlreadyPinnedTests {
    @Test("a pin that was deleted in Pinry hides none that is being made, and none from before")
    func hidden() async throws {
        try await DeliveryStage.open { stage in
            let first = try await stage.enqueueLink(Self.page)
            try await stage.work()
            stage.pinry.deletePin(try #require(try await stage.item(first).facts.pin))
            stage.clock.move(by: 60)
            let second = try await stage.enqueueLink(Self.page)
            try await stage.work(on: second, until: .upload)
            stage.clock.move(by: 1)
            let third = try await stage.enqueueLink(Self.page)
            let memory = try stage.memory
            #expect(try await memory.earlierPin(ofPageIn: stage.item(third)) == .underway)
            try await stage.work()
            stage.clock.move(by: 10)
            try await stage.work()
            #expect(stage.pinry.pins.count == 1)
            #expect(try await stage.item(third).facts.pin == stage.pinry.pins.first?.id)
        }
    }

    @Test("many pins that are gone are found out a few at a time")
    func bounded() async throws {
        try await DeliveryStage.open { stage in
            for _ in 0..<5 {
                let item = try await stage.enqueueLink(Self.page)
                try await stage.work()
                stage.pinry.deletePin(try #require(try await stage.item(item).facts.pin))
                stage.clock.move(by: 60)
            }
            // Each was forgotten when the next one came: only the last is left to ask for.
            let last = try await stage.enqueueLink(Self.page)
            let asked = stage.pinry.requests(like: "GET /api/v2/pins/")
            let memory = try stage.memory
            #expect(try await memory.earlierPin(ofPageIn: stage.item(last)) == nil)
            #expect(stage.pinry.requests(like: "GET /api/v2/pins/") == asked + 1)
        }
    }

    @Test("a pin that is gone before it is on its board ends its item, which says so")
    func goneBeforeBoard() async throws {
        try await DeliveryStage.open { stage in
            let first = try await stage.enqueueLink(Self.page)
            try await stage.work(on: first, until: .board)
            let waiting = try await stage.item(first)
            stage.pinry.deletePin(try #require(waiting.facts.pin))
            stage.clock.move(by: 1)
            let second = try await stage.enqueueLink(Self.page)
            #expect(
                try await stage.memory.earlierPin(ofPageIn: stage.item(second))
                    != .pinned(waiting.facts.pin ?? PinID(0)))
            try await stage.work()
            let ended = try await stage.item(first)
            #expect(ended.state == .done && ended.reason?.contains("was deleted in Pinry") == true)
        }
    }

    @Test("Pinry is asked within the limit of the server")
    func withinLimit() async throws {
        try await DeliveryStage.open { stage in
            let first = try await stage.enqueueLink(Self.page)
            try await stage.work()
            stage.clock.move(by: 60)
            let second = try await stage.item(try await stage.enqueueLink(Self.page))
            let asked = stage.pinry.requests(like: "GET /api/v2/pins/")
            let memory = try stage.memory
            let answer = try await stage.places.run(for: stage.server) {
                let asking = Task { try await memory.earlierPin(ofPageIn: second) }
                while stage.places.waiting(for: stage.server.id) == 0 { await Task.yield() }
                #expect(stage.pinry.requests(like: "GET /api/v2/pins/") == asked)
                return asking
            }
            #expect(try await answer.value == .pinned(try #require(try await stage.item(first).facts.pin)))
            #expect(stage.pinry.requests(like: "GET /api/v2/pins/") == asked + 1)
        }
    }

    @Test("the time to a pin is noted for those that got a new one")
    func delays() async throws {
        try await DeliveryStage.open { stage in
            _ = try await sentTwice(on: stage)
            let text = stage.meter.metrics.map(\.text).joined()
            #expect(text.contains("pinpost_items_total{outcome=\"done\"} 2"))
            #expect(text.contains("pinpost_item_duration_seconds_count 1"))
        }
    }
}
