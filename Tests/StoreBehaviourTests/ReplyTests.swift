import FoundationEssentials
import PinpostCore
import Testing

@Suite("The outbox of answers", .timeLimit(.minutes(10)))
struct ReplyTests {
    @Test("an answer is due once the message is done, and brings all there is to say", arguments: StoreBackend.allCases)
    func dueWhenDone(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, server) = try await test.store.addTenant()
            let message = try await test.owe([.link(0)], to: tenant)
            #expect(try await test.take(at: .noon + 599).isEmpty)
            #expect(try await test.store.nextReply() == .noon + 600)
            try await test.finishItem(of: message, at: .noon + 30)
            #expect(try await test.store.nextReply() == .noon + 30)
            let reply = try #require(try await test.take(at: .noon + 30).first)
            #expect(reply.message.state == .done)
            #expect(reply.message.body == .inline("body"))
            #expect(reply.items.map(\.state) == [.parked])
            #expect(reply.pending.isEmpty)
            #expect(reply.tenant == tenant && reply.server == server)
            #expect(reply.attempt == 1 && reply.triedSince == .noon + 30)
        }
    }

    @Test("while items wait, the answer is due after ten minutes", arguments: StoreBackend.allCases)
    func dueWhenPatienceEnds(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let message = try await test.owe([.link(0)], to: tenant)
            let reply = try #require(try await test.take(at: .noon + 600).first)
            #expect(reply.pending.map(\.message) == [message])
            try await test.store.settle(reply, as: .sent, now: .noon + 601)
            #expect(try await test.store.message(message)?.body != nil)
            try await test.finishItem(of: message, at: .noon + 700)
            // One answer for each message: nothing more is owed, and the body goes.
            #expect(try await test.take(at: .noon + 9_999).isEmpty)
            #expect(try await test.store.nextReply() == nil)
            #expect(try await test.store.message(message)?.body == nil)
        }
    }

    @Test("the body stays until the answer is settled", arguments: StoreBackend.allCases)
    func body(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let body = try test.store.put([UInt8](repeating: 7, count: 100_000))
            let message = try await test.owe([], to: tenant, body: body)
            #expect(try await test.store.message(message)?.state == .done)
            _ = try test.store.open(body)
            let reply = try #require(try await test.take(at: .noon).first)
            try await test.store.settle(reply, as: .notSent(reason: "no way back"), now: .noon)
            #expect(try await test.store.message(message)?.body == nil)
            #expect(throws: StoreError.self) { try test.store.open(body) }
        }
    }

    @Test("lanes are served in turn: none that sorts first fills every place", arguments: StoreBackend.allCases)
    func turns(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            for name in ["a", "b", "c"] {
                var hook = Hook(
                    id: makeID(), tenant: tenant.id, provider: name, tokenHashes: [], defaults: .init(),
                    createdAt: .noon)
                hook.settings.apiBase = "https://\(name).example"
                try await test.store.add(hook)
                for number in 0..<3 {
                    let message = ReceivedMessage.fixture(
                        of: tenant, by: .hook(hook.id), envelope: Envelope(sender: "\(number)@example.org"))
                    _ = try await test.store.accept(message)
                    _ = try await test.store.takeAccepted(upTo: 1, now: .noon)
                    try await test.store.split(
                        message.id, into: [], skipped: [], note: nil, owesReply: true, now: .noon)
                }
            }
            var (last, served) = ("", [String]())
            for _ in 0..<5 {
                let room = ReplyRoom(total: 1, perLane: 4, after: last)
                let reply = try #require(
                    try await test.store.takeReplies(within: room, now: .noon, until: .noon + 300).first)
                served.append(String(reply.lane.prefix(1)))
                last = reply.lane
            }
            #expect(served == ["a", "b", "c", "a", "b"])
            // A lane that is gone is no hindrance, and everybody's turn comes in one round.
            let rest = try await test.store.takeReplies(
                within: ReplyRoom(total: 9, perLane: 4, after: "bb"), now: .noon, until: .noon + 300)
            #expect(rest.map { String($0.lane.prefix(1)) } == ["c", "c", "a", "b"])
        }
    }

    @Test("a message that owes no answer keeps nothing back", arguments: StoreBackend.allCases)
    func notOwed(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let message = try await test.store.enqueue([], for: tenant)
            #expect(try await test.store.message(message)?.body == nil)
            #expect(try await test.store.nextReply() == nil)
        }
    }

    @Test(
        "an answer that died on its way comes back at once, counted, and fences the earlier one",
        arguments: StoreBackend.allCases)
    func crash(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            try await test.owe([], to: tenant)
            let first = try #require(try await test.take(at: .noon).first)
            try await test.crash(reopenAt: .noon + 1)
            #expect(try await test.store.nextReply() == .noon + 1)
            let second = try #require(try await test.take(at: .noon + 1).first)
            #expect(second.attempt == 2 && second.triedSince == .noon)
            await #expect(throws: StoreError(.leaseLost)) {
                try await test.store.settle(first, as: .sent, now: .noon + 301)
            }
            await #expect(throws: StoreError(.leaseLost)) {
                try await test.store.postpone(first, until: .noon + 400, reason: "late")
            }
            try await test.store.settle(second, as: .sent, now: .noon + 301)
            await #expect(throws: StoreError(.leaseLost)) {
                try await test.store.settle(second, as: .sent, now: .noon + 302)
            }
        }
    }

    @Test(
        "an orderly end hands answers back uncounted as crashes; one that waits for its time goes on waiting",
        arguments: StoreBackend.allCases)
    func restart(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            for _ in 0..<2 { try await test.owe([], to: tenant) }
            let waiting = try #require(try await test.take(at: .noon).first)
            try await test.store.postpone(waiting, until: .noon + 100, reason: "503")
            let first = try #require(try await test.take(at: .noon).first)
            for restart in 1...5 {
                try await test.restart(at: .noon + Double(restart))
                let again = try await test.store.takeReplies(
                    upTo: 9, now: .noon + Double(restart), until: .noon + 300)
                #expect(again.map(\.message.id) == [first.message.id] && again[0].attempt == restart + 1)
            }
            try await test.crash(reopenAt: .noon + 10)
            #expect(try await test.store.nextReply() == .noon + 10)
        }
    }

    @Test(
        "answers that several processes did not outlive come one after the other: the one at fault is alone then",
        arguments: StoreBackend.allCases)
    func poison(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            for _ in 0..<3 { try await test.owe([], to: tenant) }
            func take(at now: Date) async throws -> [OwedReply] {
                try await test.store.takeReplies(upTo: 9, now: now, until: now + 300)
            }
            #expect(try await take(at: .noon).count == 3)
            try await test.crash(reopenAt: .noon + 1)
            #expect(try await take(at: .noon + 1).map(\.attempt) == [2, 2, 2])
            try await test.crash(reopenAt: .noon + 10)
            #expect(try await take(at: .noon + 10).isEmpty)
            #expect(try await take(at: .noon + 11).map(\.attempt) == [3])
            #expect(try await take(at: .noon + 13).map(\.attempt) == [3, 3])
        }
    }

    @Test("a postponed answer comes back at its time", arguments: StoreBackend.allCases)
    func postponed(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let message = try await test.owe([.link(0)], to: tenant)
            let reply = try #require(try await test.take(at: .noon + 600).first)
            try await test.store.postpone(reply, until: .noon + 720, reason: "451")
            // What happens to the message meanwhile does not hurry an answer that has failed once.
            try await test.finishItem(of: message, at: .noon + 610)
            #expect(try await test.take(at: .noon + 719).isEmpty)
            #expect(try await test.take(at: .noon + 720).map(\.attempt) == [2])
        }
    }

    @Test("answers of one chat are told in order, those of others meanwhile", arguments: StoreBackend.allCases)
    func order(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            var messages: [Message.ID] = []
            for sender in ["ada", "ada", "bob"] { messages.append(try await test.owe([], to: tenant, from: sender)) }
            func take(at now: Date) async throws -> [OwedReply] {
                try await test.store.takeReplies(upTo: 9, now: now, until: now + 300)
            }
            let first = try await take(at: .noon)
            #expect(first.map(\.message.id) == [messages[0], messages[2]])
            try await test.store.postpone(first[0], until: .noon + 60, reason: "503")
            try await test.store.settle(first[1], as: .sent, now: .noon)
            #expect(try await take(at: .noon + 59).isEmpty)
            let again = try await take(at: .noon + 60)
            #expect(again.map(\.message.id) == [messages[0]])
            try await test.store.settle(again[0], as: .sent, now: .noon)
            #expect(try await take(at: .noon + 61).map(\.message.id) == [messages[1]])
        }
    }

    @Test("an answer that cannot be sent for long holds up no others", arguments: StoreBackend.allCases)
    func orderEnds(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            for _ in 0..<2 { try await test.owe([], to: tenant, from: "ada") }
            let first = try #require(try await test.take(at: .noon).first)
            try await test.store.postpone(first, until: .noon + 9_999, reason: "503")
            #expect(try await test.take(at: .noon + 899).isEmpty)
            #expect(try await test.take(at: .noon + 900).count == 1)
        }
    }

    @Test(
        "an order waits for its Pinry in a lane of its own, then its answer goes the chat's way",
        arguments: StoreBackend.allCases)
    func orders(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, server) = try await test.store.addTenant()
            let order = try await test.owe([], to: tenant, from: "ada", undo: UndoOrder(message: makeID()))
            let answer = try await test.owe([], to: tenant, from: "ada")
            let taken = try await test.store.takeReplies(upTo: 9, now: .noon, until: .noon + 300)
            // What the same chat is owed beside it does not wait for it.
            #expect(Set(taken.map(\.message.id)) == [order, answer])
            let first = try #require(taken.first { $0.message.id == order })
            #expect(first.lane == OwedReply.lane(ofOrdersAt: server.id) && first.order != nil)
            let beside = try #require(taken.first { $0.message.id == answer })
            try await test.store.settle(beside, as: .sent, now: .noon)
            let outcome = UndoOutcome("The pin is removed.", isDone: true)
            try await test.store.note(outcome, of: first, now: .noon + 100)
            try await test.crash(reopenAt: .noon + 101)
            let second = try #require(
                try await test.store.takeReplies(upTo: 9, now: .noon + 101, until: .noon + 300).first)
            #expect(second.message.id == order && second.lane == OwedReply.mailLane && second.order == nil)
            #expect(second.message.envelope.undo?.outcome == outcome)
            await #expect(throws: StoreError(.leaseLost)) {
                try await test.store.note(outcome, of: first, now: .noon + 102)
            }
            try await test.store.settle(second, as: .sent, now: .noon + 102)
        }
    }

    @Test("a full lane leaves room to the others", arguments: StoreBackend.allCases)
    func lanes(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            for number in 0..<5 { try await test.owe([], to: tenant, from: "\(number)") }
            let room = ReplyRoom(total: 9, perLane: 4)
            let taken = try await test.store.takeReplies(within: room, now: .noon, until: .noon + 300)
            #expect(taken.count == 4)
            let full = ReplyRoom(total: 9, perLane: 4, left: [taken[0].lane: 0])
            #expect(try await test.store.takeReplies(within: full, now: .noon, until: .noon + 300).isEmpty)
            #expect(try await test.store.takeReplies(within: room, now: .noon, until: .noon + 300).count == 1)
        }
    }

    @Test("answers are limited by correspondent and by tenant, each counted once", arguments: StoreBackend.allCases)
    func limits(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            for _ in 0..<5 { try await test.owe([], to: tenant) }
            let replies = try await test.store.takeReplies(upTo: 5, now: .noon, until: .noon + 300)
            var limits = ReplyLimits()
            (limits.hourlyPerCorrespondent, limits.dailyPerTenant) = (2, 3)
            func admit(_ number: Int, to name: [UInt8], at now: Date = .noon) async throws -> Bool {
                try await test.store.admit(replies[number], to: name, within: limits, now: now)
            }
            #expect(try await admit(0, to: [1]))
            #expect(try await admit(0, to: [1]))
            #expect(try await admit(1, to: [1]))
            #expect(try await !admit(2, to: [1]))
            #expect(try await admit(2, to: [1], at: .noon + 3_600))
            #expect(try await !admit(3, to: [2], at: .noon + 3_600))
            #expect(try await admit(3, to: [2], at: .noon + 86_400))
        }
    }

    @Test("a tenant's answers go with him", arguments: StoreBackend.allCases)
    func removedTenant(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            try await test.owe([.link(0)], to: tenant)
            let reply = try #require(try await test.take(at: .noon + 600).first)
            try await test.store.remove(tenant.id)
            #expect(try await test.store.nextReply() == nil)
            await #expect(throws: StoreError(.leaseLost)) {
                try await test.store.settle(reply, as: .sent, now: .noon)
            }
        }
    }
}

extension StoreUnderTest {
    /// A message whose sender waits for an answer, and that has become these items.
    @discardableResult
    fileprivate func owe(
        _ items: [NewItem], to tenant: Tenant, body: StoredBytes = .inline("body"), from sender: String? = nil,
        undo: UndoOrder? = nil
    ) async throws -> Message.ID {
        // Each of somebody else's, where nobody is named.
        var envelope = Envelope(sender: sender ?? (makeID() as Message.ID).rawValue)
        envelope.undo = undo
        let message = try await store.accept(.fixture(of: tenant, body: body, envelope: envelope)).message
        _ = try await store.takeAccepted(upTo: 10, now: .noon)
        try await store.split(message, into: items, skipped: [], note: nil, owesReply: true, now: .noon)
        return message
    }

    fileprivate func take(at now: Date) async throws -> [OwedReply] {
        try await store.takeReplies(upTo: 1, now: now, until: now + 300)
    }

    fileprivate func finishItem(of message: Message.ID, at now: Date) async throws {
        let lease = try await store.lease(at: now)
        let item = try #require(try await store.take(.prepare, lease, at: now).first)
        try #require(item.message == message)
        try await store.settle(item.id, as: .parked(reason: "gone"), under: lease, now: now)
        try await store.release(lease, now: now)
    }
}
