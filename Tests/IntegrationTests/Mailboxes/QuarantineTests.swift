import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Mail in a mailbox that is nobody's", .enabled(if: Dovecot.isAvailable), .timeLimit(.minutes(10)))
struct MailboxQuarantineTests {
    private func mail(_ header: String) -> [UInt8] {
        Array("\(header)\r\nSubject: a\r\n\r\nhttps://example.com/\r\n".utf8)
    }

    @Test("an unknown address of our form is kept once, whatever happens to the folder; other mail is left alone")
    func unknownAddress() async throws {
        let dovecot = try await Dovecot()
        try await MailboxStage.open { stage in
            let unknown = mail("Delivered-To: pins+nobody@example.org\r\nFrom: a@example.net")
            dovecot.deliver(unknown)
            dovecot.deliver(mail("Delivered-To: ada@example.org\r\nTo: pins+nobody@example.org"))
            let mailbox = try await stage.addMailbox(port: dovecot.port)
            try await stage.service.look(at: mailbox)
            let held = try await stage.store.heldMails(newest: 9)
            #expect(held.count == 1)
            let first = try #require(held.first)
            #expect(first.cause == .unknownAddress && first.message == nil && first.envelope.mailbox == mailbox.id)
            #expect(try stage.store.open(first.body).read(upTo: 1_000) == unknown)
            #expect(try await stage.store.quarantine(of: mailbox.id, newest: 9).count == 2)
            // As if the folder were made anew.
            try await stage.store.begin(MailboxPosition(uidValidity: 1, nextUID: 1), in: mailbox.id)
            try await stage.service.look(at: mailbox)
            #expect(try await stage.store.heldMails(newest: 9).map(\.id) == [first.id])
            #expect(dovecot.mails().count == 2)
        }
    }

    @Test("a proven sender needs no token where the mailbox trusts the server that proves him")
    func senders() async throws {
        let dovecot = try await Dovecot()
        try await MailboxStage.open { stage in
            let known = try await stage.store.addresses(of: stage.tenants[0].id)
            var address = try #require(known.first)
            address.policy = SenderPolicy(.sender, senders: [try #require(SenderRule("@example.net"))])
            try await stage.store.update(address)
            let results = "Authentication-Results: mx7.example.org; dmarc=pass header.from=example.net\r\n"
            dovecot.deliver(mail("Delivered-To: pins@example.org\r\n\(results)From: Ada <ada@example.net>"))
            dovecot.deliver(mail("Delivered-To: pins@example.org\r\n\(results)From: Eve <eve@example.com>"))
            let doubting = try await stage.addMailbox("doubting", port: dovecot.port)
            try await stage.service.look(at: doubting)
            #expect(try await stage.store.messages(of: stage.tenants[0].id, newest: 9).isEmpty)
            let trusting = try await stage.addMailbox("trusting", port: dovecot.port) { settings in
                settings.trustedAuthServers = [".example.org"]
            }
            try await stage.service.look(at: trusting)
            #expect(try await stage.store.messages(of: stage.tenants[0].id, newest: 9).count == 1)
            #expect(try await stage.store.heldMails(newest: 9).isEmpty)
        }
    }
}
