import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

@Suite("Mailboxes in the store", .timeLimit(.minutes(10)))
struct MailboxTests {
    private static func mailbox(_ name: String = "inbox") -> WatchedMailbox {
        var settings = MailboxSettings(host: "mail.example", username: "ada")
        settings.afterwards = .move(folder: "Done")
        settings.oauth = OAuthClient(tokenEndpoint: "https://o.example/token", clientID: "c")
        return WatchedMailbox(
            id: makeID(), name: name, settings: settings, secret: .fixture(.mailboxPassword, key: "k1"),
            clientSecret: .fixture(.mailboxPassword, key: "k2"), createdAt: .noon)
    }

    @Test("a mailbox comes back as it was stored, its name once, its secrets counted", arguments: StoreBackend.allCases)
    func registry(_ backend: StoreBackend) async throws {
        try await backend.withStore { store in
            let (first, second) = (Self.mailbox("b"), Self.mailbox("a"))
            try await store.store.add(first)
            try await store.store.add(second)
            #expect(try await store.store.mailboxes() == [second, first])
            let port: any MailboxDirectory = store.store
            await #expect(throws: StoreError(.conflict)) { try await port.add(Self.mailbox("a")) }
            #expect(try await store.store.recordsPerKey() == ["k1": 2, "k2": 2])
            let rotated = SealedSecret.fixture(.mailboxPassword, key: "k3")
            try await store.store.replaceSecret(of: first.id, with: rotated)
            #expect(try await store.store.mailboxes().last?.secret == rotated)
            #expect(try await store.store.recordsPerKey() == ["k1": 1, "k2": 2, "k3": 1])
            try await store.store.remove(first.id)
            #expect(try await store.store.mailboxes() == [second])
            #expect(try await store.store.recordsPerKey() == ["k1": 1, "k2": 1])
            await #expect(throws: StoreError.self) { try await port.remove(first.id) }
        }
    }

    @Test("a mailbox whose secret was rotated meanwhile is not overwritten", arguments: StoreBackend.allCases)
    func changedMeanwhile(_ backend: StoreBackend) async throws {
        try await backend.withStore { store in
            let mailbox = Self.mailbox()
            try await store.store.add(mailbox)
            var rotated = mailbox
            rotated.secret = .fixture(.mailboxPassword, key: "k3")
            try await store.store.replaceSecret(of: mailbox.id, with: rotated.secret)
            var moved = mailbox
            moved.settings.folder = "Other"
            #expect(try await !store.store.update(moved, insteadOf: mailbox))
            #expect(try await store.store.mailboxes() == [rotated])
            moved.secret = rotated.secret
            #expect(try await store.store.update(moved, insteadOf: rotated))
            #expect(try await store.store.mailboxes() == [moved])
        }
    }

    @Test("the place in a folder survives a crash; another folder starts anew", arguments: StoreBackend.allCases)
    func position(_ backend: StoreBackend) async throws {
        try await backend.withStore { store in
            var mailbox = Self.mailbox()
            try await store.store.add(mailbox)
            #expect(try await store.store.position(of: mailbox.id) == nil)
            let border = MailboxPosition.Border(since: .noon, belowUID: .max)
            let place = MailboxPosition(uidValidity: .max, nextUID: .max, border: border)
            try await store.store.begin(MailboxPosition(uidValidity: 1, nextUID: 1), in: mailbox.id)
            try await store.store.record(
                [
                    MailVerdict(uid: 7, fate: .failing(attempts: 2, due: .noon + 60, reason: "x")),
                    MailVerdict(uid: 8, fate: .failing(attempts: 0, due: .noon, reason: "x")),
                ], upTo: place, in: mailbox.id, now: .noon)
            try await store.crash(reopenAt: .noon)
            #expect(try await store.store.position(of: mailbox.id) == place)
            let seven = FailingMail(uid: 7, attempts: 2, due: .noon + 60, since: .noon)
            let eight = FailingMail(uid: 8, attempts: 0, due: .noon, since: .noon)
            #expect(try await store.store.failing(in: mailbox.id, dueBy: nil, upTo: 9) == [eight, seven])
            #expect(try await store.store.failing(in: mailbox.id, dueBy: .noon + 59, upTo: 9) == [eight])
            #expect(try await store.store.failing(in: mailbox.id, dueBy: .noon + 60, upTo: 1) == [eight])
            #expect(try await store.store.judged(in: mailbox.id, from: 8) == [8])
            mailbox.settings.afterwards = .leave
            try await store.store.update(mailbox)
            #expect(try await store.store.position(of: mailbox.id) == place)
            mailbox.settings.folder = "Other"
            try await store.store.update(mailbox)
            #expect(try await store.store.position(of: mailbox.id) == nil)
            #expect(try await store.store.failing(in: mailbox.id, dueBy: nil, upTo: 9).isEmpty)
        }
    }

    @Test(
        "a mail is finished when every message of it is, and failed when one is parked or made no pin",
        arguments: StoreBackend.allCases)
    func finished(_ backend: StoreBackend) async throws {
        try await backend.withStore { store in
            let (tenant, _) = try await store.store.addTenant()
            let mailbox = Self.mailbox()
            try await store.store.add(mailbox)
            var messages: [Message.ID] = []
            for _ in 0..<3 { messages.append(try await store.store.accept(.fixture(of: tenant)).message) }
            let gone: Message.ID = makeID()
            let verdicts = [
                MailVerdict(uid: 1, fate: .taken([messages[0], messages[1]], waits: true)),
                MailVerdict(uid: 2, fate: .taken([messages[2]], waits: true)),
                MailVerdict(uid: 3, fate: .taken([gone], waits: true)),
                MailVerdict(uid: 4, fate: .taken([gone], waits: false)),
            ]
            let place = MailboxPosition(uidValidity: 1, nextUID: 5)
            for _ in 0..<2 { try await store.store.record(verdicts, upTo: place, in: mailbox.id, now: .noon) }
            func finished() async throws -> [FinishedMail] {
                try await store.store.finished(in: mailbox.id, dueBy: .noon, upTo: 9)
            }
            let third = FinishedMail(uid: 3, hasFailed: false, progress: .waiting)
            #expect(try await finished() == [third])
            _ = try await store.store.takeAccepted(upTo: 3, now: .noon)
            try await store.store.split(messages[0], into: [], skipped: [], note: nil, now: .noon)
            #expect(try await finished() == [third])
            try await store.store.split(messages[1], into: [], skipped: [], note: nil, now: .noon)
            try await store.store.park(messages[2], reason: "x", now: .noon)
            #expect(
                try await finished() == [
                    // Whatever it was, deleting it would lose it.
                    FinishedMail(uid: 1, hasFailed: true, progress: .waiting),
                    FinishedMail(uid: 2, hasFailed: true, progress: .waiting), third,
                ])
            try await store.store.note(.copied, of: [1], in: mailbox.id)
            try await store.store.note(.done, of: [2, 3], in: mailbox.id)
            // Recorded again, it does not go back.
            try await store.store.record(verdicts, upTo: place, in: mailbox.id, now: .noon)
            #expect(try await finished() == [FinishedMail(uid: 1, hasFailed: true, progress: .copied)])
            #expect(try await store.store.hasUnfinished(in: mailbox.id))
            #expect(try await store.store.health(of: mailbox.id).taken == 4)
            try await store.store.remove(tenant.id)
            try await store.store.remove(mailbox.id)
        }
    }

    @Test("what cannot be done to a mail afterwards waits, is told, and is given up", arguments: StoreBackend.allCases)
    func troubles(_ backend: StoreBackend) async throws {
        try await backend.withStore { store in
            let mailbox = Self.mailbox()
            try await store.store.add(mailbox)
            let verdicts = (1...2).map { MailVerdict(uid: UInt32($0), fate: .taken([makeID()], waits: true)) }
            try await store.store.record(
                verdicts, upTo: MailboxPosition(uidValidity: 1, nextUID: 3), in: mailbox.id, now: .noon)
            func trouble(_ failures: Int, _ due: Date?) async throws {
                let trouble = AfterwardsTrouble(uid: 1, failures: failures, reason: "no such right", due: due)
                try await store.store.note([trouble], in: mailbox.id)
            }
            func finished(at date: Date) async throws -> [Int?] {
                try await store.store.finished(in: mailbox.id, dueBy: date, upTo: 9).map(\.failures)
            }
            #expect(try await finished(at: .noon) == [nil, nil])
            try await trouble(1, .noon + 60)
            #expect(try await finished(at: .noon + 59) == [nil])
            #expect(try await finished(at: .noon + 60) == [1, nil])
            var told = try await store.store.quarantine(of: mailbox.id, newest: 9)
            #expect(told.map(\.kind) == [.unmoved] && told.first?.reason == "no such right")
            try await store.store.note(.done, of: [1], in: mailbox.id)
            #expect(try await store.store.quarantine(of: mailbox.id, newest: 9).isEmpty)
            try await trouble(3, nil)
            try await store.store.note(.done, of: [2], in: mailbox.id)
            #expect(try await finished(at: .noon + 9_999).isEmpty)
            #expect(try await store.store.hasUnfinished(in: mailbox.id) == false)
            told = try await store.store.quarantine(of: mailbox.id, newest: 9)
            #expect(told.map(\.uid) == [1])
        }
    }

    @Test(
        "what was left alone or could not be read is asked for again, what was taken is not",
        arguments: StoreBackend.allCases)
    func again(_ backend: StoreBackend) async throws {
        try await backend.withStore { store in
            let mailbox = Self.mailbox()
            try await store.store.add(mailbox)
            let verdicts = [
                MailVerdict(uid: 1, fate: .taken([makeID()], waits: false)),
                MailVerdict(uid: 2, fate: .quarantined(reason: "nobody's")),
                MailVerdict(uid: 3, fate: .unreadable(attempts: 2, reason: "broken")),
                MailVerdict(uid: 4, fate: .failing(attempts: 1, due: .noon + 600, reason: "busy")),
            ]
            try await store.store.record(
                verdicts, upTo: MailboxPosition(uidValidity: 1, nextUID: 5), in: mailbox.id, now: .noon)
            let health = try await store.store.health(of: mailbox.id)
            #expect(health.taken == 1 && health.quarantined == 2 && health.unreadable == 1 && health.failing == 1)
            let told = try await store.store.quarantine(of: mailbox.id, newest: 9)
            #expect(told.map(\.kind) == [.failing, .unreadable, .leftAlone])
            #expect(try await store.store.given(in: mailbox.id, newest: 5) == [2, 1])
            #expect(try await store.store.readAgain(in: mailbox.id, now: .noon + 5) == 3)
            let failing = try await store.store.failing(in: mailbox.id, dueBy: .noon + 5, upTo: 9)
            #expect(failing.map(\.uid) == [2, 3, 4] && failing.allSatisfy { $0.attempts == 0 })
            #expect(try await store.store.health(of: mailbox.id).quarantined == 0)
        }
    }

    @Test(
        "a mail of which something wanted could not be taken has failed; what nobody misses does not count",
        arguments: StoreBackend.allCases)
    func losses(_ backend: StoreBackend) async throws {
        try await backend.withStore { store in
            let (tenant, _) = try await store.store.addTenant()
            let mailbox = Self.mailbox()
            try await store.store.add(mailbox)
            let parts = [
                SkippedPart(.image, name: "\"isLoss\":true", reason: "a logo in the signature"),
                SkippedPart(.image, name: "b.jpg", reason: "the picture is cut off", isLoss: true),
            ]
            for (uid, part) in zip([1 as UInt32, 2], parts) {
                let message = try await store.store.enqueue([.link(0)], skipped: [part], for: tenant)
                let lease = try await store.store.lease(at: .noon)
                let item = try #require(try await store.store.take(.prepare, lease, at: .noon).first)
                try await store.store.advance(
                    item.id, to: .done, learning: .pinned(PinID(1), board: nil), under: lease, now: .noon)
                try await store.store.settle(item.id, as: .done(note: nil), under: lease, now: .noon)
                try await store.store.release(lease, now: .noon)
                let verdict = MailVerdict(uid: uid, fate: .taken([message], waits: true))
                try await store.store.record(
                    [verdict], upTo: MailboxPosition(uidValidity: 1, nextUID: uid + 1), in: mailbox.id, now: .noon)
            }
            #expect(
                try await store.store.finished(in: mailbox.id, dueBy: .noon, upTo: 9).map(\.hasFailed) == [false, true])
        }
    }

    @Test(
        "success, failure and stop are remembered, and a person's change lets it go on",
        arguments: StoreBackend.allCases)
    func health(_ backend: StoreBackend) async throws {
        try await backend.withStore { store in
            let mailbox = Self.mailbox()
            try await store.store.add(mailbox)
            try await store.store.noteFailure(of: mailbox.id, "wrong password", stop: true, now: .noon)
            var health = try await store.store.health(of: mailbox.id)
            #expect(health.stoppedReason == "wrong password" && health.lastErrorAt == .noon)
            #expect(health.isDeaf(since: .noon, now: .noon))
            try await store.store.update(mailbox)
            health = try await store.store.health(of: mailbox.id)
            #expect(health.stoppedReason == nil && health.lastError == nil)
            try await store.store.noteSuccess(of: mailbox.id, now: .noon + 5)
            health = try await store.store.health(of: mailbox.id)
            #expect(health.lastSuccess == .noon + 5 && !health.isDeaf(since: .noon, now: .noon + 1_000))
            #expect(health.isDeaf(since: .noon, now: .noon + 2_000))
        }
    }

    @Test("the quarantine is bounded and expires; what waits stays", arguments: StoreBackend.allCases)
    func quarantine(_ backend: StoreBackend) async throws {
        try await backend.withStore { store in
            let mailbox = Self.mailbox()
            try await store.store.add(mailbox)
            var verdicts = (1...10).map { MailVerdict(uid: UInt32($0), fate: .quarantined(reason: "\($0)")) }
            verdicts.append(MailVerdict(uid: 11, fate: .taken([makeID()], waits: true)))
            verdicts.append(MailVerdict(uid: 12, fate: .taken([makeID()], waits: false)))
            let place = MailboxPosition(uidValidity: 1, nextUID: 13)
            try await store.store.record(verdicts, upTo: place, in: mailbox.id, now: .noon)
            try await store.store.expire(in: mailbox.id, before: .noon, keeping: 4)
            let kept = try await store.store.quarantine(of: mailbox.id, newest: 20)
            #expect(kept.map(\.uid) == [10, 9, 8, 7] && kept.first?.reason == "10" && kept.first?.seenAt == .noon)
            #expect(try await store.store.health(of: mailbox.id).taken == 2)
            try await store.store.expire(in: mailbox.id, before: .noon + 1, keeping: 4)
            #expect(try await store.store.quarantine(of: mailbox.id, newest: 20).isEmpty)
            let health = try await store.store.health(of: mailbox.id)
            #expect(health.taken == 1 && health.quarantined == 0)
            #expect(try await store.store.hasUnfinished(in: mailbox.id))
        }
    }
}
