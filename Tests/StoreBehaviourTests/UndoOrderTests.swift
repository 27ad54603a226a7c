import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

@Suite("Orders to take something back", .timeLimit(.minutes(10)))
struct UndoOrderTests {
    private static let (ada, bob) = (SHA256.hash("ada"), SHA256.hash("bob"))

    /// A store with a hook by which messages and orders come.
    private struct Stage {
        let store: any Store
        let tenant: Tenant
        let hook: Hook

        init(_ test: StoreUnderTest) async throws {
            store = test.store
            tenant = try await test.store.addTenant().tenant
            hook = Hook.fixture(of: tenant)
            try await store.add(hook)
        }

        private func accept(
            _ key: String, at time: Date, author: [UInt8]? = nil, thread: [UInt8]? = nil, undo: UndoTarget? = nil,
            by route: Hook.ID? = nil
        ) async throws -> Acceptance {
            var envelope = Envelope()
            envelope.undo = undo.map { _ in UndoOrder(message: nil) }
            return try await store.accept(
                ReceivedMessage(
                    id: makeID(), tenant: tenant.id, route: .hook(route ?? hook.id), source: .hook,
                    deliveryKey: SHA256.hash(key), body: .inline("x"), envelope: envelope, receivedAt: time,
                    author: author, thread: thread, undo: undo))
        }

        /// A message of a person.
        func send(
            _ key: String, by author: [UInt8], at seconds: Double = 0, thread: [UInt8]? = nil
        ) async throws -> Message.ID {
            try await accept(key, at: .noon + seconds, author: author, thread: thread).message
        }

        /// The message that an order means.
        func target(_ key: String, _ undo: UndoTarget, at seconds: Double = 60, by route: Hook.ID? = nil) async throws
            -> Message.ID?
        {
            let order = try await accept(key, at: .noon + seconds, undo: undo, by: route)
            guard case .delivery = undo, order.isRepeat else {
                return try #require(try await store.message(order.message)?.envelope.undo).message
            }
            #expect(try await store.message(order.message) == nil)
            return nil
        }

        /// Reads everything that waits; orders wait for their answer then, messages have nothing to pin.
        func readAll() async throws {
            for message in try await store.takeAccepted(upTo: 100, now: .noon + 100) {
                try await store.split(
                    message.id, into: [], skipped: [], note: nil, owesReply: message.envelope.undo != nil,
                    now: .noon + 100)
            }
        }
    }

    private static let newest = UndoTarget.newest(author: ada, thread: nil)

    @Test(
        "mean the newest message of the person of which something is left, within a day, on the same hook",
        arguments: StoreBackend.allCases)
    func newest(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let stage = try await Stage(test)
            let first = try await stage.send("1", by: Self.ada)
            let second = try await stage.send("2", by: Self.ada, at: 1)
            let bobs = try await stage.send("3", by: Self.bob, at: 2)
            let other = Hook.fixture(of: stage.tenant)
            try await test.store.add(other)
            #expect(try await stage.target("o1", Self.newest, by: other.id) == nil)
            #expect(try await stage.target("o2", .newest(author: SHA256.hash("eve"), thread: nil)) == nil)
            #expect(try await stage.target("o3", .newest(author: Self.bob, thread: nil)) == bobs)
            #expect(try await stage.target("o4", Self.newest, at: 86_401) == second)
            #expect(try await stage.target("o5", Self.newest, at: 86_402) == nil)
            #expect(try await stage.target("o6", Self.newest) == first)
            try await stage.readAll()
            #expect(try await stage.target("o7", Self.newest) == nil)
        }
    }

    @Test(
        "given at the same time mean one message each, the newest first; a repeat means the same",
        arguments: StoreBackend.allCases)
    func several(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let stage = try await Stage(test)
            var sent: [Message.ID] = []
            for number in 0..<3 { sent.append(try await stage.send("\(number)", by: Self.ada, at: Double(number))) }
            let meant = try await withThrowingTaskGroup(of: Message.ID?.self) { group in
                for number in 0..<4 {
                    group.addTask { try await stage.target("order \(number)", Self.newest) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(meant) == Set(sent + [nil]))
            for number in 0..<4 { _ = try await stage.target("order \(number)", Self.newest) }
            #expect(try await stage.target("another", Self.newest) == nil)
        }
    }

    @Test(
        "have their message for themselves while they are under way, and leave it to the next when they fail",
        arguments: StoreBackend.allCases)
    func failed(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let stage = try await Stage(test)
            let first = try await stage.send("1", by: Self.ada)
            try await stage.readAll()
            // Something is left: a message that is parked item by item.
            let second = try await stage.send("2", by: Self.ada, at: 1)
            _ = try await test.store.takeAccepted(upTo: 1, now: .noon + 2)
            try await test.store.split(second, into: [.link(0)], skipped: [], note: nil, now: .noon + 2)
            #expect(try await stage.target("o1", Self.newest) == second)
            try await stage.readAll()
            #expect(try await stage.target("o2", Self.newest) == nil)
            let reply = try #require(
                try await test.store.takeReplies(upTo: 1, now: .noon + 200, until: .noon + 500).first)
            #expect(reply.message.envelope.undo?.message == second)
            #expect(try await stage.target("o3", Self.newest) == nil)
            try await test.store.settle(reply, as: .sent, now: .noon + 201)
            #expect(try await stage.target("o4", Self.newest) == second)
            #expect(first != second)
            // Another pin shows the same picture: whoever asked was told that this one stays.
            try await stage.readAll()
            let last = try #require(
                try await test.store.takeReplies(upTo: 1, now: .noon + 300, until: .noon + 500).first)
            try await test.store.note(UndoOutcome("1 stayed.", isDone: true), of: last, now: .noon + 300)
            let told = try #require(
                try await test.store.takeReplies(upTo: 1, now: .noon + 300, until: .noon + 500).first)
            try await test.store.settle(told, as: .sent, now: .noon + 301)
            #expect(try await stage.target("o5", Self.newest) == nil)
        }
    }

    @Test("mean a message that was stopped while its pin is still there", arguments: StoreBackend.allCases)
    func halfDone(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let stage = try await Stage(test)
            let (message, item) = (try await stage.send("1", by: Self.ada), NewItem.link(0))
            _ = try await test.store.takeAccepted(upTo: 1, now: .noon)
            try await test.store.split(message, into: [item], skipped: [], note: nil, now: .noon)
            let lease = try await test.store.lease()
            try await test.store.bring(item.id, to: .board, under: lease)
            let stopped = try await test.store.stopItems(of: message, now: .noon)
            #expect(stopped.map(\.state) == [.cancelled] && stopped.first?.facts.pin != nil)
            #expect(try await test.store.take(.deliver, lease).isEmpty)
            // The Pinry was away, and the order has failed: another one means the same message.
            #expect(try await stage.target("o1", Self.newest) == message)
            try await stage.readAll()
            let reply = try #require(
                try await test.store.takeReplies(upTo: 1, now: .noon + 200, until: .noon + 500).first)
            try await test.store.settle(reply, as: .notSent(reason: "away"), now: .noon + 201)
            #expect(try await stage.target("o2", Self.newest) == message)
            try await stage.readAll()
            try await test.store.noteUndone(item.id, now: .noon + 300)
            let other = try #require(
                try await test.store.takeReplies(upTo: 1, now: .noon + 300, until: .noon + 500).first)
            try await test.store.settle(other, as: .sent, now: .noon + 301)
            #expect(try await stage.target("o3", Self.newest) == nil)
        }
    }

    @Test("in a thread mean what stands in it, outside the whole chat", arguments: StoreBackend.allCases)
    func threads(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let stage = try await Stage(test)
            let (one, two) = (SHA256.hash("thread 1"), SHA256.hash("thread 2"))
            let first = try await stage.send("1", by: Self.ada, thread: one)
            let second = try await stage.send("2", by: Self.ada, at: 1, thread: two)
            let third = try await stage.send("3", by: Self.ada, at: 2)
            #expect(try await stage.target("o1", .newest(author: Self.ada, thread: one)) == first)
            #expect(try await stage.target("o2", .newest(author: Self.ada, thread: one)) == nil)
            #expect(try await stage.target("o3", Self.newest) == third)
            #expect(try await stage.target("o4", Self.newest) == second)
        }
    }

    @Test(
        "in an answer to a message of the person's own mean that one, to another's none, to any other the newest",
        arguments: StoreBackend.allCases)
    func answers(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let stage = try await Stage(test)
            let first = try await stage.send("1", by: Self.ada)
            let second = try await stage.send("2", by: Self.ada, at: 1)
            _ = try await stage.send("3", by: Self.bob, at: 2)
            func answer(to name: String) -> UndoTarget {
                .newest(author: Self.ada, thread: nil, answered: SHA256.hash(name))
            }
            #expect(try await stage.target("o1", answer(to: "3")) == nil)
            #expect(try await stage.target("o2", answer(to: "1")) == first)
            #expect(try await stage.target("o3", answer(to: "what Pinpost said")) == second)
            #expect(try await stage.target("o4", answer(to: "1")) == first)
        }
    }

    @Test(
        "by the deletion of a message mean that one where it is the person's own, else are not kept",
        arguments: StoreBackend.allCases)
    func deletion(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let stage = try await Stage(test)
            let first = try await stage.send("1", by: Self.ada)
            _ = try await stage.send("2", by: Self.ada, at: 1)
            func deletion(_ name: String, by author: [UInt8]) -> UndoTarget {
                .delivery(key: SHA256.hash(name), author: author)
            }
            #expect(try await stage.target("o1", deletion("1", by: Self.bob)) == nil)
            #expect(try await stage.target("o2", deletion("nothing", by: Self.ada)) == nil)
            #expect(try await stage.target("o3", deletion("1", by: Self.ada)) == first)
        }
    }
}
