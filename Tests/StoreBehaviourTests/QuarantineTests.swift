import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

@Suite("Quarantine", .timeLimit(.minutes(10)))
struct QuarantineTests {
    private func held(_ body: StoredBytes = .inline("mail"), at time: Date = .noon) -> HeldMail {
        HeldMail(
            id: makeID(), cause: .unknownAddress, reason: "Nobody.", envelope: Envelope(sender: "a@example.org"),
            body: body, heldAt: time, expiresAt: time + QuarantineLimits().age)
    }

    private func hold(_ mail: HeldMail, _ key: String, in store: any Store) async throws -> Bool {
        try await store.hold(mail, key: SHA256.hash(key), within: QuarantineLimits()) == mail.id
    }

    @Test("a mail is kept once, and can be thrown away", arguments: StoreBackend.allCases)
    func once(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let mail = held()
            #expect(try await hold(mail, "a", in: test.store))
            #expect(try await !hold(held(), "a", in: test.store))
            #expect(try await hold(held(at: .noon + 1), "b", in: test.store))
            #expect(try await test.store.heldMails(newest: 10).count == 2)
            #expect(try await test.store.heldMails(newest: 10).last == mail)
            try await test.store.removeHeld(mail.id)
            await #expect(throws: StoreError(.notFound, "mail")) { try await test.store.removeHeld(mail.id) }
            #expect(try await hold(held(), "a", in: test.store))
        }
    }

    @Test("it is bounded by count, bytes and age; the oldest goes first", arguments: StoreBackend.allCases)
    func bounds(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            var limits = QuarantineLimits()
            (limits.mails, limits.bytes) = (3, 25)
            var mails: [HeldMail] = []
            for number in 0..<5 {
                mails.append(held(.inline("12345"), at: .noon + Double(number)))
                _ = try await test.store.hold(mails[number], key: SHA256.hash("\(number)"), within: limits)
            }
            #expect(try await test.store.heldMails(newest: 9).map(\.id) == mails[2...].reversed().map(\.id))
            let large = held(.inline(String(repeating: "x", count: 20)), at: .noon + 9)
            _ = try await test.store.hold(large, key: SHA256.hash("large"), within: limits)
            #expect(try await test.store.heldMails(newest: 9).map(\.id) == [large.id, mails[4].id])
            try await test.store.expireHeld(now: mails[4].expiresAt)
            #expect(try await test.store.heldMails(newest: 9).map(\.id) == [large.id])
        }
    }

    @Test("a body in the spool outlives a crash, and goes with its mail", arguments: StoreBackend.allCases)
    func bodies(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let content = [UInt8](repeating: 7, count: 100_000)
            let mail = held(try test.store.store(content))
            _ = try await hold(mail, "a", in: test.store)
            // Old enough for the sweep of the start.
            try await test.crash(reopenAt: .now + 10_000)
            let kept = try #require(try await test.store.heldMail(mail.id))
            #expect(try test.store.open(kept.body).read(upTo: 200_000) == content)
            try await test.store.removeHeld(mail.id)
            #expect(throws: StoreError.self) { try test.store.open(kept.body) }
        }
    }

    @Test(
        "a message that is held can be let through, or read again by the same rules", arguments: StoreBackend.allCases)
    func messages(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let id = try await test.store.accept(.fixture(of: tenant)).message
            for isTrusted in [false, true] {
                #expect(try await test.store.takeAccepted(upTo: 1, now: .noon).map(\.id) == [id])
                try await test.store.hold(id, because: "Stranger.", within: QuarantineLimits(), now: .noon)
                let parked = try #require(try await test.store.message(id))
                #expect(parked.state == .parked && parked.reason == "Stranger." && parked.body == nil)
                let mail = try #require(try await test.store.heldMails(newest: 9).first)
                #expect(mail.message == id && mail.tenant == tenant.id && mail.cause == .sender)
                #expect(mail.body == .inline("body"))
                if isTrusted {
                    try await test.store.release(mail.id, past: true, now: .noon)
                } else {
                    try await test.store.replay(id, now: .noon)
                }
                let again = try #require(try await test.store.message(id))
                #expect(again.state == .accepted && again.body == .inline("body") && again.reason == nil)
                #expect(again.envelope.isReleased == (isTrusted ? true : nil))
                #expect(try await test.store.heldMails(newest: 9).isEmpty)
            }
        }
    }

    @Test("a mail that was nobody's becomes a message, once", arguments: StoreBackend.allCases)
    func release(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let body = try test.store.store([UInt8](repeating: 1, count: 100_000))
            let mail = held(body)
            _ = try await hold(mail, "a", in: test.store)
            let message = ReceivedMessage.fixture(of: tenant, body: body)
            #expect(try await test.store.release(mail.id, as: message).isRepeat == false)
            #expect(try await test.store.message(message.id)?.body == body)
            await #expect(throws: StoreError(.notFound, "mail")) { try await test.store.release(mail.id, as: message) }
            #expect(try test.store.open(body).read(upTo: 10).count == 10)
        }
    }

    @Test("only a parked message whose bytes are there is read again", arguments: StoreBackend.allCases)
    func replay(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let id = try await test.store.accept(.fixture(of: tenant)).message
            await #expect(throws: StoreError.self) { try await test.store.replay(id, now: .noon) }
            _ = try await test.store.takeAccepted(upTo: 1, now: .noon)
            try await test.store.park(id, reason: "broken", now: .noon)
            try await test.store.replay(id, now: .noon)
            #expect(try await test.store.takeAccepted(upTo: 1, now: .noon).map(\.id) == [id])
            try await test.store.hold(id, because: "x", within: QuarantineLimits(), now: .noon)
            try await test.store.expireHeld(now: .noon + QuarantineLimits().age)
            await #expect(throws: StoreError(.refused, "its source is gone")) {
                try await test.store.replay(id, now: .noon)
            }
        }
    }

    @Test("what a tenant had in quarantine goes with him", arguments: StoreBackend.allCases)
    func removedTenant(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let id = try await test.store.accept(.fixture(of: tenant)).message
            _ = try await test.store.takeAccepted(upTo: 1, now: .noon)
            try await test.store.hold(id, because: "x", within: QuarantineLimits(), now: .noon)
            try await test.store.remove(tenant.id)
            #expect(try await test.store.heldMails(newest: 9).isEmpty)
        }
    }
}
