import FoundationEssentials
import PinpostCore
import Testing

@Suite("Splitting messages", .timeLimit(.minutes(10)))
struct SplittingTests {
    @Test("messages are read in order of arrival, each once", arguments: StoreBackend.allCases)
    func order(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            var ids: [Message.ID] = []
            for _ in 0..<5 { ids.append(try await test.store.accept(.fixture(of: tenant)).message) }
            #expect(try await test.store.takeAccepted(upTo: 3, now: .noon).map(\.id) == Array(ids.prefix(3)))
            #expect(try await test.store.takeAccepted(upTo: 3, now: .noon).map(\.id) == Array(ids.suffix(2)))
            #expect(try await test.store.takeAccepted(upTo: 3, now: .noon).isEmpty)
        }
    }

    @Test(
        "a message that crashes every reader is parked instead of being taken a fourth time",
        arguments: StoreBackend.allCases)
    func poison(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let deadly = try await test.store.accept(.fixture(of: tenant)).message
            let innocent = try await test.store.accept(.fixture(of: tenant)).message
            #expect(try await test.store.takeAccepted(upTo: 10, now: .noon).map(\.id) == [deadly, innocent])
            for _ in 0..<2 {
                try await test.crash(reopenAt: .noon)
                // Alone: the other one is not to be blamed.
                #expect(try await test.store.takeAccepted(upTo: 10, now: .noon).map(\.id) == [deadly])
            }
            try await test.crash(reopenAt: .noon)
            #expect(try await test.store.takeAccepted(upTo: 1, now: .noon).map(\.id) == [innocent])
            let parked = try #require(try await test.store.message(deadly))
            #expect(parked.state == .parked)
            #expect(parked.reason?.contains("poison") == true)
            #expect(parked.body != nil)
        }
    }

    @Test("an orderly end does not count as a crash", arguments: StoreBackend.allCases)
    func orderlyEnd(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let message = try await test.store.accept(.fixture(of: tenant)).message
            for _ in 0..<5 {
                #expect(try await test.store.takeAccepted(upTo: 1, now: .noon).map(\.id) == [message])
                try await test.restart(at: .noon)
            }
        }
    }

    @Test("a postponed message comes back at its time, the crash not counted", arguments: StoreBackend.allCases)
    func postponed(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let message = try await test.store.accept(.fixture(of: tenant)).message
            for round in 0..<4 {
                let now = Date.noon + Double(round) * 60
                #expect(try await test.store.takeAccepted(upTo: 1, now: now).map(\.id) == [message])
                try await test.store.postpone(message, until: now + 60, reason: "disk full")
                #expect(try await test.store.takeAccepted(upTo: 1, now: now + 59).isEmpty)
            }
            #expect(try await test.store.message(message)?.reason == "disk full")
        }
    }

    @Test("splitting twice changes nothing and drops the second copies", arguments: StoreBackend.allCases)
    func repeated(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let first = [NewItem.image(0, try test.store.put(largePicture)), .link(1)]
            let message = try await test.store.enqueue(first, for: tenant)
            let copy = try test.store.put(largePicture)
            try await test.store.split(message, into: [.image(0, copy)], skipped: [], note: nil, now: .noon)
            try await test.store.split(message, into: first, skipped: [], note: nil, now: .noon)
            let items = try await test.store.items(of: message)
            #expect(items.map(\.id) == first.map(\.id))
            #expect(items.map(\.kind) == first.map(\.kind))
            #expect(items.map(\.draft) == first.map(\.draft))
            #expect(throws: StoreError.self) { try test.store.open(copy) }
            if case .image(let bytes, _) = first[0].kind { #expect(try test.store.contents(of: bytes) == largePicture) }
        }
    }

    @Test("a message without items is done, and its body goes", arguments: StoreBackend.allCases)
    func nothingToPin(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let body = try test.store.put(largePicture)
            let message = try await test.store.accept(.fixture(of: tenant, body: body)).message
            _ = try await test.store.takeAccepted(upTo: 1, now: .noon)
            let skipped = [SkippedPart(.image, name: "logo.png", type: "image/png", bytes: 70, reason: "logo")]
            try await test.store.split(message, into: [], skipped: skipped, note: "nothing", now: .noon)
            let done = try #require(try await test.store.message(message))
            #expect(done.state == .done)
            #expect(done.body == nil)
            #expect(done.skipped == skipped)
            #expect(throws: StoreError.self) { try test.store.open(body) }
        }
    }

    @Test("a crash between taking and splitting loses nothing", arguments: StoreBackend.allCases)
    func crashBeforeSplit(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let message = try await test.store.accept(.fixture(of: tenant)).message
            _ = try await test.store.takeAccepted(upTo: 1, now: .noon)
            #expect(try await test.store.message(message)?.state == .accepted)
            try await test.crash(reopenAt: .noon)
            #expect(try await test.store.takeAccepted(upTo: 1, now: .noon).map(\.id) == [message])
        }
    }

    @Test("what is unknown or read already cannot be parked", arguments: StoreBackend.allCases)
    func parking(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let message = try await test.store.enqueue([.link(0)], for: tenant)
            await #expect(throws: StoreError(.notFound, "message")) {
                try await test.store.park(makeID(), reason: "x", now: .noon)
            }
            await #expect(throws: StoreError(.refused, "the message has been read")) {
                try await test.store.park(message, reason: "x", now: .noon)
            }
            let broken = try await test.store.accept(.fixture(of: tenant)).message
            _ = try await test.store.takeAccepted(upTo: 1, now: .noon)
            try await test.store.park(broken, reason: "cannot be read", now: .noon)
            #expect(try await test.store.message(broken)?.state == .parked)
            #expect(try await test.store.takeAccepted(upTo: 1, now: .noon).isEmpty)
        }
    }
}
