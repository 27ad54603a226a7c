import FoundationEssentials
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Pages that are pinned already", .timeLimit(.minutes(10)))
struct AlreadyPinnedTests {
    private static let page = "https://example.com/page"

    /// A pinned page that was sent once more, and what became of that.
    private func sentTwice(
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
