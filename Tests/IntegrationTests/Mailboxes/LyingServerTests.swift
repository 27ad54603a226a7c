import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Servers that lie, stall and break off", .timeLimit(.minutes(10)))
struct LyingServerTests {
    /// A server with three mails, of which one makes trouble; the other two and a later one have to come.
    private func others(
        survive change: @Sendable (inout ScriptedIMAPServer.Script) -> Void,
        _ check: (MailboxHealth) -> Void = { #expect($0.quarantined == 1) }
    ) async throws {
        let server = try ScriptedIMAPServer()
        try await MailboxStage.open {
            $0.fullPoll = .milliseconds(100)
            $0.secondTry = .milliseconds(20)
        } _: { stage in
            for uid in 1...3 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
            server.change(change)
            let mailbox = try await stage.addMailbox(port: server.port)
            try await stage.watching {
                _ = try await stage.messages(2)
                server.put(stage.mail("mail-4"), uid: 4)
                let messages = try await stage.messages(3)
                #expect(messages.count == 3)
                let health = try await eventually({ $0.quarantined == 1 }) {
                    try await stage.store.health(of: mailbox.id)
                }
                check(health)
                #expect(try await stage.messages(3).count == 3)
            }
        }
    }

    /// Answers that concern UID 2 alone are told by the mail's own subject.
    private static func isSecond(_ mail: [UInt8]) -> Bool { String(decoding: mail, as: UTF8.self).contains("mail-2@") }

    @Test("a mail for which the server says OK and sends no body hinders no others")
    func withoutBody() async throws {
        try await others { script in
            script.body = { _, mail in
                Self.isSecond(mail) ? Array("FLAGS ()".utf8) : Array("BODY[] {\(mail.count)}\r\n".utf8) + mail
            }
        }
    }

    @Test("a mail whose body is NIL hinders no others")
    func nilBody() async throws {
        try await others { script in
            script.body = { _, mail in
                Self.isSecond(mail) ? Array("BODY[] NIL".utf8) : Array("BODY[] {\(mail.count)}\r\n".utf8) + mail
            }
        }
    }

    @Test("a mail that breaks the protocol is found, and the others come")
    func brokenMail() async throws {
        try await others { script in
            script.body = { _, mail in
                Self.isSecond(mail) ? Array("BODY[] {x}".utf8) : Array("BODY[] {\(mail.count)}\r\n".utf8) + mail
            }
        }
    }

    @Test("a mail larger than the limit and than its size said is found, and the others come")
    func largerThanSaid() async throws {
        try await others { script in
            script.body = { _, mail in
                Self.isSecond(mail)
                    ? Array("BODY[] {900000000}\r\nabc".utf8) : Array("BODY[] {\(mail.count)}\r\n".utf8) + mail
            }
        }
    }

    @Test("a mail that the server refuses is let be, and the others come")
    func refused() async throws {
        try await others { script in
            script.answer = { command in
                guard ScriptedIMAPServer.isFor(2, command, "UID FETCH "), command.contains("BODY") else { return nil }
                return .text("%T NO [SERVERBUG] cannot read it\r\n")
            }
        }
    }

    @Test(
        "a server that breaks off, stalls or says goodbye is connected to again",
        arguments: ["* BYE [UNAVAILABLE] overloaded\r\n", "* 1 FETCH (UID 1 BODY[] {1000}\r\nabc"])
    func breaksOff(_ words: String) async throws {
        for stalls in [false, true] {
            let server = try ScriptedIMAPServer()
            var limits = IMAPLimits()
            if stalls { limits.silence = .seconds(1) }
            try await MailboxStage.open(limits: limits) { stage in
                for uid in 1...3 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
                server.change { script in
                    script.answer = { command in
                        guard command.contains("BODY.PEEK") else { return nil }
                        return stalls ? .stall(words) : .close(words)
                    }
                }
                let mailbox = try await stage.addMailbox(port: server.port)
                try await stage.watching {
                    let health = try await eventually({ $0.lastError != nil }) {
                        try await stage.store.health(of: mailbox.id)
                    }
                    #expect(health.lastError != nil)
                    server.change { $0.answer = { _ in nil } }
                    #expect(try await stage.messages(3).count == 3)
                }
            }
        }
    }

    @Test("another UIDVALIDITY reads everything again and takes nothing twice")
    func recreated() async throws {
        let server = try ScriptedIMAPServer()
        try await MailboxStage.open { stage in
            for uid in 1...3 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
            let mailbox = try await stage.addMailbox(port: server.port)
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(3).count == 3)
            server.change { $0.uidValidity = 99 }
            server.put(stage.mail("mail-4"), uid: 1)
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(4).count == 4)
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(4).count == 4)
            #expect(try await stage.store.position(of: mailbox.id) == MailboxPosition(uidValidity: 99, nextUID: 4))
        }
    }

    @Test("mails without a live address stay, are listed with the reason, and are read once")
    func strangers() async throws {
        let server = try ScriptedIMAPServer()
        try await MailboxStage.open { stage in
            server.put(Array("To: \(stage.addresses[0])\r\nSubject: To does not count\r\n\r\nx".utf8), uid: 1)
            server.put(Array("Delivered-To: pins+aaaabbbb@example.org\r\n\r\nx".utf8), uid: 2)
            let mailbox = try await stage.addMailbox(port: server.port) { $0.afterwards = .delete }
            for _ in 0..<2 { try await stage.service.look(at: mailbox) }
            let quarantine = try await stage.store.quarantine(of: mailbox.id, newest: 10)
            #expect(quarantine.map(\.uid) == [2, 1])
            #expect(quarantine.allSatisfy { $0.reason.contains("No live address") })
            #expect(server.commands.count { $0.contains("BODY.PEEK") } == 1)
            #expect(!server.commands.contains { $0.contains("STORE") || $0.contains("EXPUNGE") })
            #expect(try await stage.store.messages(of: stage.tenants[0].id, newest: 5).isEmpty)
        }
    }

    @Test("a mail for two tenants is a message of each, with a body of its own")
    func twoTenants() async throws {
        let server = try ScriptedIMAPServer()
        try await MailboxStage.open { stage in
            let head = "Delivered-To: \(stage.addresses[0])\r\nDelivered-To: \(stage.addresses[1])\r\n"
            server.put(Array("\(head)Message-ID: <both@x>\r\n\r\nx".utf8), uid: 1)
            let mailbox = try await stage.addMailbox(port: server.port)
            for _ in 0..<2 { try await stage.service.look(at: mailbox) }
            for tenant in 0...1 { #expect(try await stage.messages(1, of: tenant).count == 1) }
        }
    }
}
