import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Mailboxes on a real Dovecot", .enabled(if: Dovecot.isAvailable), .timeLimit(.minutes(2)))
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
}
