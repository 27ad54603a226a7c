import FoundationEssentials
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Delivery that has to stop", .timeLimit(.minutes(10)))
struct DeliveryStopTests {
    @Test("a refused token stops the tenant, says so, and burns no attempts")
    func refusedToken() async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue(2)[0]
            stage.pinry.misbehave([PinryFault(.status(401), on: "POST /api/v2/images/")])
            try await stage.work()
            let tenant = try #require(try await stage.store.tenant(stage.tenant.id))
            guard case .stopped(let reason) = tenant.status else {
                Issue.record("the tenant goes on")
                return
            }
            #expect(reason.contains("token"))
            let requests = stage.pinry.requests(like: "POST /api/v2/images/")
            #expect(requests == 1)
            stage.clock.move(by: 86_400)
            try await stage.work()
            #expect(stage.pinry.requests(like: "POST /api/v2/images/") == requests)
            #expect(try await stage.item(id).state == .ready)
        }
    }

    @Test("PUBLIC=False holds the server without burning attempts, and ends by itself")
    func publicSwitchedOff() async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue()[0]
            stage.pinry.change { $0.isPublic = false }
            for _ in 0..<5 {
                try await stage.work()
                stage.clock.move(by: 3_600)
            }
            let held = try await stage.item(id)
            #expect(held.state == .ready && held.attempt <= 1)
            #expect(held.reason?.contains("PUBLIC") == true)
            stage.pinry.change { $0.isPublic = true }
            try await stage.work()
            #expect(try await stage.item(id).state == .done)
        }
    }

    @Test("the breaker opens after five failures in a row, and one success closes it")
    func breaker() async throws {
        try await DeliveryStage.open { stage in
            _ = try await stage.enqueue(8)
            stage.pinry.misbehave([PinryFault(.status(502), on: "POST /api/v2/images/")])
            try await stage.work()
            #expect(stage.pinry.requests(like: "POST /api/v2/images/") == 5)
            stage.clock.move(by: 29)
            try await stage.work()
            #expect(stage.pinry.requests(like: "POST /api/v2/images/") == 5)
            stage.pinry.misbehave([])
            for _ in 0..<4 {
                stage.clock.move(by: 120)
                try await stage.work()
            }
            #expect(stage.pinry.pins.count == 8)
        }
    }

    @Test("Retry-After is kept for the whole server and counts as no attempt")
    func rateLimit() async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue()[0]
            stage.pinry.misbehave([PinryFault(.status(429, retryAfter: 90), on: "POST /api/v2/images/", times: 1)])
            try await stage.work()
            #expect(try await stage.item(id).attempt == 0)
            stage.clock.move(by: 89)
            try await stage.work()
            #expect(stage.pinry.requests(like: "POST /api/v2/images/") == 1)
            stage.clock.move(by: 2)
            try await stage.work()
            #expect(try await stage.item(id).state == .done)
        }
    }

    @Test("a picture that Pinry refuses is parked with the reason, the others go on")
    func refusedPicture() async throws {
        try await DeliveryStage.open { stage in
            let ids = try await stage.enqueue(2)
            stage.pinry.misbehave([PinryFault(.status(413), on: "POST /api/v2/images/", times: 1)])
            try await stage.work()
            let states = [try await stage.item(ids[0]), try await stage.item(ids[1])]
            #expect(states.map(\.state) == [.parked, .done])
            #expect(states[0].reason?.contains("client_max_body_size") == true)
        }
    }

    @Test("after five days of failures the item is parked, and a person can let it go on")
    func horizon() async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue()[0]
            stage.pinry.misbehave([PinryFault(.status(500), on: "POST /api/v2/images/")])
            for _ in 0..<30 {
                try await stage.work()
                stage.clock.move(by: 6 * 3_600)
            }
            let parked = try await stage.item(id)
            #expect(parked.state == .parked)
            #expect(parked.reason?.contains("5 days") == true)
            stage.pinry.misbehave([])
            try await stage.store.retry(id, now: stage.clock.now)
            try await stage.work()
            #expect(try await stage.item(id).state == .done)
        }
    }

    @Test("an image that somebody deleted is uploaded again")
    func lostImage() async throws {
        try await DeliveryStage.open { stage in
            let id = try await stage.enqueue()[0]
            stage.pinry.misbehave([PinryFault(.status(502), on: "POST /api/v2/pins/", times: 1)])
            try await stage.work()
            stage.pinry.deleteImage(try #require(try await stage.item(id).facts.image))
            for _ in 0..<3 {
                stage.clock.move(by: 300)
                try await stage.work()
            }
            #expect(try await stage.item(id).state == .done)
            #expect(stage.pinry.pins.count == 1)
        }
    }

    @Test("dialect pinrysaver: one call, and a lost answer parks with the doubt", arguments: [true, false])
    func pinrySaver(isLost: Bool) async throws {
        try await DeliveryStage.open(dialect: .pinrysaver) { stage in
            let id = try await stage.enqueue()[0]
            if isLost { stage.pinry.misbehave([PinryFault(.reset, .after, on: "POST /api/pins/")]) }
            try await stage.work()
            stage.clock.move(by: 86_400)
            try await stage.work()
            let item = try await stage.item(id)
            #expect(item.state == (isLost ? .parked : .done))
            if isLost { #expect(item.reason?.contains("may be pinned") == true) }
            #expect(stage.pinry.pins.count == 1)
        }
    }
}
