import FoundationEssentials
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Undo while a message is on its way", .timeLimit(.minutes(10)))
struct UndoOnTheWayTests {
    /// Runs `body` with a message whose picture is pinned and waits for its board.
    private func withPinWaiting(_ body: (ChatStage, Message.ID, Item.ID) async throws -> Void) async throws {
        try await ChatStage.open("generic") { stage in
            let token = [("Authorization", "Bearer \(stage.hookToken)"), ("Content-Type", "image/png")]
            _ = try await stage.send(token, bytes: TestPicture.png(seed: 1))
            stage.delivery.clock.move(by: 12)
            try await stage.split()
            let item = try #require(try await stage.items().first)
            try await stage.delivery.work(on: item.id, until: .board)
            let waiting = try await stage.delivery.item(item.id)
            #expect(waiting.state == .ready && waiting.step == .board && waiting.facts.pin != nil)
            #expect(stage.delivery.pinry.pins.count == 1)
            try await body(stage, item.message, item.id)
        }
    }

    private func undo(_ message: Message.ID, on stage: ChatStage) async throws -> PinUndo.Result {
        try await stage.undo.undo(message, by: stage.hook, askedAt: stage.delivery.clock.now)
    }

    @Test("a pin that waits for its board is removed, and its board step is not done any more")
    func waiting() async throws {
        try await withPinWaiting { stage, message, item in
            let result = try await undo(message, on: stage)
            #expect(result.text == "The pin is removed." && result.outcome.isDone)
            let left = try await stage.delivery.item(item)
            #expect(left.state == .cancelled && left.facts.pin == nil && stage.delivery.pinry.pins.isEmpty)
            try await stage.work()
            #expect(stage.delivery.pinry.pins.isEmpty)
            #expect(try await undo(message, on: stage).text == "There is nothing left to undo.")
        }
    }

    @Test("a Pinry that is away, or a crash, in between is made up for by the next attempt")
    func interrupted() async throws {
        try await withPinWaiting { stage, message, item in
            stage.delivery.pinry.misbehave([PinryFault(.status(502), .before, on: "DELETE", times: 1)])
            let first = try await undo(message, on: stage)
            #expect(first.isWorthRepeating && stage.delivery.pinry.pins.count == 1)
            try await stage.delivery.crash()
            try await stage.work()
            #expect(try await stage.delivery.item(item).state == .cancelled)
            let second = try await undo(message, on: stage)
            #expect(second.text == "The pin is removed." && stage.delivery.pinry.pins.isEmpty)
        }
    }
}
