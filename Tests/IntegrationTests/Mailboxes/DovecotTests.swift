import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Mailboxes on a real Dovecot", .enabled(if: Dovecot.isAvailable), .timeLimit(.minutes(10)))
struct DovecotTests {
    @Test("what is there and what comes later is taken once, and stays unread")
    func taken() async throws {
        let dovecot = try await Dovecot()
        try await MailboxStage.open { stage in
            dovecot.deliver(stage.mail("early"))
            dovecot.deliver(stage.mail("bobs", for: 1))
            let mailbox = try await stage.addMailbox(port: dovecot.port)
            try await stage.watching {
                #expect(try await stage.messages(1).count == 1)
                #expect(try await stage.messages(1, of: 1).count == 1)
                dovecot.deliver(stage.mail("late"))
                dovecot.deliver(stage.mail("large", size: 1_000_000))
                let messages = try await stage.messages(3)
                #expect(messages.count == 3)
                #expect(messages.allSatisfy { $0.envelope.mailbox == mailbox.id })
                #expect(messages.map { $0.body?.count ?? 0 }.max() ?? 0 > 1_000_000)
            }
            #expect(dovecot.mails().allSatisfy { !$0.contains(":2,S") })
            let health = try await stage.store.health(of: mailbox.id)
            #expect(health.lastSuccess != nil && health.lastError == nil && health.taken == 4)
        }
    }

    @Test("a mail is a message once the server tells of it: nobody asks")
    func idle() async throws {
        let dovecot = try await Dovecot()
        let never = Duration.seconds(3_600)
        try await MailboxStage.open({ ($0.idleRefresh, $0.fullPoll, $0.noopInterval) = (never, never, never) }) {
            stage in
            try await stage.addMailbox(port: dovecot.port)
            try await stage.watching {
                for number in 1...12 {
                    dovecot.deliver(stage.mail("mail-\(number)"))
                    let messages = try await stage.messages(number)
                    #expect(messages.count == number)
                }
            }
        }
    }

    @Test(
        "a server without IDLE is asked",
        arguments: [["IDLE"], ["IDLE", "UIDPLUS", "MOVE", "LITERAL+", "ID", "ENABLE"]])
    func withoutIdle(_ without: [String]) async throws {
        let dovecot = try await Dovecot(Dovecot.Options(without: without))
        try await MailboxStage.open({ $0.noopInterval = .milliseconds(50) }) { stage in
            try await stage.addMailbox(port: dovecot.port)
            try await stage.watching {
                dovecot.deliver(stage.mail("one"))
                _ = try await stage.messages(1)
                dovecot.deliver(stage.mail("two"))
                #expect(try await stage.messages(2).count == 2)
            }
        }
    }

    @Test("TLS and STARTTLS with a private authority work, an unknown authority does not, the right pin does")
    func tls() async throws {
        let dovecot = try await Dovecot()
        try await MailboxStage.open { stage in
            dovecot.deliver(stage.mail("one"))
            for (encryption, port) in [(MailboxSettings.Encryption.tls, dovecot.tlsPort), (.starttls, dovecot.port)] {
                let trusted = try await stage.addMailbox("a-\(encryption)", port: port) { settings in
                    settings.encryption = encryption
                    settings.caPEM = dovecot.certificatePEM
                }
                try await stage.service.look(at: trusted)
                let unknown = try await stage.addMailbox("b-\(encryption)", port: port) { $0.encryption = encryption }
                let error = await #expect(throws: IMAPError.self) { try await stage.service.look(at: unknown) }
                #expect(error?.code == .untrusted)
                let wrongPin = try await stage.addMailbox("c-\(encryption)", port: port) { settings in
                    settings.encryption = encryption
                    settings.pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                }
                await #expect(throws: IMAPError.self) { try await stage.service.look(at: wrongPin) }
                let pinned = try await stage.addMailbox("d-\(encryption)", port: port) { settings in
                    settings.encryption = encryption
                    settings.pin = dovecot.publicKeyPin
                }
                try await stage.service.look(at: pinned)
            }
            // Four looks at one mail by four mailboxes.
            #expect(try await stage.messages(1).count == 1)
        }
    }

    @Test("a folder whose numbers change is read again, and nothing is taken twice")
    func renumbered() async throws {
        let dovecot = try await Dovecot()
        try await MailboxStage.open { stage in
            let mailbox = try await stage.addMailbox(port: dovecot.port)
            for number in 1...5 { dovecot.deliver(stage.mail("mail-\(number)")) }
            try await stage.watching {
                #expect(try await stage.messages(5).count == 5)
                let before = try await stage.store.position(of: mailbox.id)
                try await dovecot.renumber()
                dovecot.deliver(stage.mail("mail-6"))
                #expect(try await stage.messages(6).count == 6)
                let after = try await stage.store.position(of: mailbox.id)
                #expect(before?.uidValidity != after?.uidValidity)
            }
            #expect(try await stage.messages(6).count == 6)
        }
    }

    @Test("a full disk pauses the mailbox, changes nothing in it, and ends by itself")
    func fullDisk() async throws {
        let dovecot = try await Dovecot()
        try await MailboxStage.open { stage in
            stage.disk.isFull = true
            dovecot.deliver(stage.mail("one"))
            let mailbox = try await stage.addMailbox(port: dovecot.port) { $0.afterwards = .delete }
            try await stage.watching {
                let health = try await eventually({ $0.lastError != nil }) {
                    try await stage.store.health(of: mailbox.id)
                }
                #expect(health.lastError?.contains("disk") == true && health.stoppedReason == nil)
                #expect(
                    dovecot.mails().count == 1
                        && dovecot.mails().allSatisfy { $0.hasSuffix("test") || $0.hasSuffix(":2,") })
                stage.disk.isFull = false
                #expect(try await stage.messages(1).count == 1)
                let after = try await eventually({ $0.lastError == nil }) {
                    try await stage.store.health(of: mailbox.id)
                }
                #expect(after.lastError == nil && after.quarantined == 0)
            }
        }
    }
}
