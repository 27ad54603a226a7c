import FoundationEssentials
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Another picture for a page that is pinned", .timeLimit(.minutes(10)))
struct RepinTests {
    /// A pinned page, and the choice of another picture for it.
    private func repinned(
        on stage: DeliveryStage, _ meanwhile: (DeliveryStage) async throws -> Void = { _ in }
    ) async throws -> Item.ID {
        let id = try await stage.enqueueLink("https://example.com/page")
        try await stage.work()
        let first = try await stage.item(id)
        #expect(first.state == .done && stage.pinry.pins.count == 1)
        try await meanwhile(stage)
        let pin = try #require(first.facts.pin)
        let replacement = Replacement(
            picture: "https://example.com/other.png", pin: pin, floor: first.facts.pinFloor ?? PinID(0))
        try await stage.store.replace(id, with: replacement, now: stage.clock.now)
        return id
    }

    /// One pin, newer than the first, with the same words on the same board.
    private func expectOneNewPin(_ id: Item.ID, on stage: DeliveryStage, besides others: Int = 0) async throws {
        let item = try await stage.item(id)
        let pin = try #require(item.facts.pin)
        let replacement = try #require(item.draft.replacement)
        #expect(item.state == .done && pin.rawValue > replacement.pin.rawValue)
        #expect(stage.pinry.pins.count == 1 + others)
        let new = try #require(stage.pinry.pins.first { $0.id == pin })
        #expect(new.description == "a page" && new.boards == ["Trips"] && new.source == "https://example.com/page")
    }

    @Test("the new pin comes with the same words and board, then the old one goes")
    func replaces() async throws {
        try await DeliveryStage.open { stage in
            let id = try await repinned(on: stage)
            try await stage.work()
            try await expectOneNewPin(id, on: stage)
        }
    }

    @Test("a process that dies before any of the steps leaves one pin in the end")
    func crash() async throws {
        for step in [Item.Step.upload, .pin, .board] {
            try await DeliveryStage.open { stage in
                let id = try await repinned(on: stage)
                try await stage.work(on: id, until: step)
                #expect(try await stage.item(id).step == step)
                _ = try await stage.takeAndForget()
                try await stage.crash()
                for _ in 0..<4 {
                    stage.clock.move(by: 600)
                    try await stage.work()
                }
                try await expectOneNewPin(id, on: stage)
            }
        }
    }

    @Test(
        "an answer to the removal that is lost is asked for again",
        arguments: [PinryFault.Act.reset, .status(500), .status(502)])
    func lostRemoval(_ act: PinryFault.Act) async throws {
        for moment in [PinryFault.Moment.before, .after] {
            try await DeliveryStage.open { stage in
                let id = try await repinned(on: stage)
                stage.pinry.misbehave([PinryFault(act, moment, on: "DELETE /api/v2/pins/", times: 1)])
                for _ in 0..<4 {
                    try await stage.work()
                    stage.clock.move(by: 600)
                }
                try await expectOneNewPin(id, on: stage)
            }
        }
    }

    @Test("an old pin that somebody removed already is no trouble")
    func goneBefore() async throws {
        try await DeliveryStage.open { stage in
            let id = try await repinned(on: stage) { stage in
                for pin in stage.pinry.pins { stage.pinry.deletePin(pin.id) }
            }
            try await stage.work()
            try await expectOneNewPin(id, on: stage)
        }
    }

    @Test("where somebody else's pin shows the old picture, it stays and the item says so")
    func shared() async throws {
        try await DeliveryStage.open { stage in
            stage.pinry.addUser("bob", token: "bob-token")
            let id = try await repinned(on: stage) { stage in
                let image = try #require(stage.pinry.pins.first).image
                stage.pinry.addPin(of: "bob", on: image)
            }
            try await stage.work()
            try await expectOneNewPin(id, on: stage, besides: 2)
            #expect(try await stage.item(id).reason?.contains("stays") == true)
        }
    }
}
