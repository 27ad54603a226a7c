import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing

@Suite("Delivery to a Pinry that misbehaves", .timeLimit(.minutes(10)))
struct DeliveryTests {
    /// No image has two pins, and every pin is ada's.
    private func expectPins(_ count: Int, on stage: DeliveryStage, board: String = "Trips") {
        let pins = stage.pinry.pins
        #expect(pins.count == count)
        #expect(Set(pins.map(\.image)).count == count)
        #expect(pins.allSatisfy { $0.boards == [board] && $0.user == "ada" })
    }

    @Test("twelve pictures become twelve pins on the board, which is told in two calls")
    func goodWeather() async throws {
        try await DeliveryStage.open { stage in
            let ids = try await stage.enqueue(12)
            try await stage.work()
            expectPins(12, on: stage)
            for id in ids {
                let item = try await stage.item(id)
                #expect(item.state == .done && item.facts.pin != nil)
            }
            #expect(stage.pinry.requests(like: "PATCH /api/v2/boards/") == 2)
            #expect(stage.pinry.pins.map(\.description) == (0..<12).map { "pin \($0)" })
        }
    }

    @Test(
        "a pin whose answer is lost is looked for after the quiet period and never made twice",
        arguments: [
            PinryFault.Act.reset, .truncate, .garbage, .empty, .status(500), .status(502), .status(504),
        ])
    func lostAnswer(_ act: PinryFault.Act) async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue()[0]
            stage.pinry.misbehave([PinryFault(act, .after, on: "POST /api/v2/pins/", times: 1)])
            try await stage.work()
            #expect(stage.pinry.pins.count == 1)
            let doubtful = try await stage.item(id)
            #expect(doubtful.state == .ready && doubtful.ambiguousUntil != nil)
            stage.clock.move(by: DeliveryStage.quiet - 2)
            try await stage.work()
            #expect(stage.pinry.requests(like: "POST /api/v2/pins/") == 1)
            stage.clock.move(by: 4)
            try await stage.work()
            expectPins(1, on: stage)
            #expect(try await stage.item(id).state == .done)
            #expect(stage.pinry.requests(like: "POST /api/v2/pins/") == 1)
        }
    }

    @Test(
        "a pin that was not made is made after the reading has shown so",
        arguments: [PinryFault.Act.reset, .status(500), .empty])
    func nothingHappened(_ act: PinryFault.Act) async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue()[0]
            stage.pinry.misbehave([PinryFault(act, .before, on: "POST /api/v2/pins/", times: 1)])
            try await stage.work()
            #expect(stage.pinry.pins.isEmpty)
            stage.clock.move(by: DeliveryStage.quiet + 2)
            try await stage.work()
            expectPins(1, on: stage)
            #expect(try await stage.item(id).state == .done)
        }
    }

    @Test("a reading that fails proves nothing: no second request before one has succeeded")
    func failedReading() async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue()[0]
            stage.pinry.misbehave([
                PinryFault(.reset, .after, on: "POST /api/v2/pins/", times: 1),
                PinryFault(.status(500), .before, on: "GET /api/v2/pins/", times: 2),
            ])
            try await stage.work()
            for _ in 0..<4 {
                stage.clock.move(by: 600)
                try await stage.work()
            }
            expectPins(1, on: stage)
            #expect(try await stage.item(id).state == .done)
            #expect(stage.pinry.requests(like: "POST /api/v2/pins/") == 1)
        }
    }

    @Test("our pin is found behind a hundred newer ones")
    func deepReading() async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue()[0]
            stage.pinry.misbehave([PinryFault(.reset, .after, on: "POST /api/v2/pins/", times: 1)])
            try await stage.work()
            stage.pinry.fill(with: 120, by: "ada")
            stage.clock.move(by: DeliveryStage.quiet + 2)
            try await stage.work()
            #expect(stage.pinry.requests(like: "POST /api/v2/pins/") == 1)
            #expect(try await stage.item(id).facts.pin == PinID(1))
        }
    }

    @Test("a process that dies at the pin comes back, waits, reads, and pins once", arguments: [true, false])
    func crash(reached: Bool) async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue()[0]
            stage.pinry.misbehave([
                PinryFault(.status(503, retryAfter: 1), .before, on: "POST /api/v2/pins/", times: 1)
            ])
            try await stage.work()
            stage.clock.move(by: 3_600)
            let taken = try #require(try await stage.takeAndForget().first)
            #expect(taken.id == id && taken.step == .pin)
            let image = try #require(taken.facts.image)
            if reached { stage.pinry.addPin(of: "ada", on: image, boards: ["Trips"]) }
            try await stage.crash()
            try await stage.work()
            #expect(stage.pinry.pins.count == (reached ? 1 : 0))
            stage.clock.move(by: DeliveryStage.quiet + 60)
            try await stage.work()
            expectPins(1, on: stage)
            #expect(try await stage.item(id).state == .done)
        }
    }

    @Test(
        "a lost upload is made again; the first image stays without a pin",
        arguments: [PinryFault.Act.reset, .status(500)])
    func lostUpload(_ act: PinryFault.Act) async throws {
        try await DeliveryStage.open { stage in
            _ = try await stage.enqueue()
            stage.pinry.misbehave([PinryFault(act, .after, on: "POST /api/v2/images/", times: 1)])
            try await stage.work()
            stage.clock.move(by: 10)
            try await stage.work()
            expectPins(1, on: stage)
            #expect(stage.pinry.imageCount == 2)
        }
    }

    @Test("a board that cannot be told now is told later, and the pin is not made again")
    func lateBoard() async throws {
        try await DeliveryStage.open { stage in
            _ = try await stage.enqueue(3)
            stage.pinry.misbehave([PinryFault(.status(500), .before, on: "PATCH", times: 2)])
            try await stage.work()
            #expect(stage.pinry.pins.allSatisfy { $0.boards.isEmpty })
            for _ in 0..<3 {
                stage.clock.move(by: 120)
                try await stage.work()
            }
            expectPins(3, on: stage)
        }
    }

    @Test("a board that is gone leaves the pin, and the item says so")
    func goneBoard() async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue { $0.destination = .board(BoardID(999)) }[0]
            try await stage.work()
            let item = try await stage.item(id)
            #expect(item.state == .done && item.facts.pin != nil)
            #expect(item.reason?.contains("board") == true)
            #expect(stage.pinry.pins.map(\.boards) == [[]])
        }
    }

    @Test("a private board makes its pins private")
    func privateBoard() async throws {
        try await DeliveryStage.open(isPrivate: true) { stage in
            _ = try await stage.enqueue(2)
            try await stage.work()
            #expect(stage.pinry.pins.map(\.isPrivate) == [true, true])
        }
    }

    @Test("a board that does not exist is made when the draft says so, once for all its pins")
    func newBoard() async throws {
        try await DeliveryStage.open { stage in
            _ = try await stage.enqueue(3) { $0.destination = .newBoard(named: "Brand new") }
            try await stage.work()
            expectPins(3, on: stage, board: "Brand new")
        }
    }

    @Test(
        "a proxy that says no after the commit does not lead to a second pin",
        arguments: [PinryFault.Act.status(429, retryAfter: 5), .status(404), .redirect(to: "/elsewhere")])
    func lateNo(_ act: PinryFault.Act) async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue()[0]
            stage.pinry.misbehave([PinryFault(act, .after, on: "POST /api/v2/pins/", times: 1)])
            for _ in 0..<3 {
                try await stage.work()
                stage.clock.move(by: 3_600)
            }
            expectPins(1, on: stage)
            #expect(try await stage.item(id).state == .done)
        }
    }

    @Test("a pin that vanished does not keep the others of its call off the board")
    func vanishedPin() async throws {
        try await DeliveryStage.open { stage in
            let ids = try await stage.enqueue(3)
            stage.pinry.misbehave([PinryFault(.status(503), on: "PATCH", times: 1)])
            try await stage.work()
            stage.pinry.deletePin(try #require(try await stage.item(ids[1]).facts.pin))
            for _ in 0..<2 {
                stage.clock.move(by: 600)
                try await stage.work()
            }
            expectPins(2, on: stage)
            let items = [try await stage.item(ids[0]), try await stage.item(ids[1]), try await stage.item(ids[2])]
            #expect(items.map(\.state) == [.done, .done, .done])
            #expect(items.map { $0.reason == nil } == [true, false, true])
        }
    }
}
