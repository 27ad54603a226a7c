import CurlKit
import PinpostCore
import PinpostTesting
import Testing

@Suite("Sending mail", .timeLimit(.minutes(10)))
struct SMTPClientTests {
    private static let pool = BlockingPool(width: 1)
    private static let mail = Array("Subject: x\r\n\r\n.one\r\n..two\r\nthree\r\n".utf8)
    private static let login = StreamLogin.password(user: "pins", Secret(copying: Array("s3cret".utf8)))

    private func send(
        to sink: SMTPSink, _ encryption: StreamTarget.Encryption = .none, as login: StreamLogin? = nil,
        timeout: Duration = .seconds(60)
    ) async throws(SMTPError) {
        guard let recipient = MailAddress("ada@example.org") else { throw SMTPError(.refused, "no address") }
        let target = StreamTarget(host: "127.0.0.1", port: sink.port, encryption: encryption)
        let client = SMTPClient(target, name: "pins.example.org", pool: Self.pool, timeout: timeout)
        try await client.send(Self.mail, to: recipient, as: login)
    }

    @Test("a mail arrives as it is, under the null return path")
    func arrives() async throws {
        let sink = try SMTPSink()
        try await send(to: sink)
        let mail = try #require(sink.mails.first)
        #expect(mail.from.isEmpty)
        #expect(mail.recipients == ["ada@example.org"])
        #expect(mail.text == String(decoding: Self.mail, as: UTF8.self))
        #expect(sink.commands.prefix(2).map { $0.prefix(21) } == ["EHLO pins.example.org", "MAIL FROM:<> SIZE=34"])
        #expect(sink.commands.last == "QUIT")
    }

    @Test("logs in with a password, or with an access token")
    func login() async throws {
        let sink = try SMTPSink()
        try await send(to: sink, as: Self.login)
        #expect(sink.commands.contains { $0.hasPrefix("AUTH PLAIN") || $0.hasPrefix("AUTH LOGIN") })
        let second = try SMTPSink()
        second.change { $0.capabilities = ["AUTH XOAUTH2"] }
        try await send(to: second, as: .bearer(user: "pins", Secret(copying: Array("token".utf8))))
        #expect(second.commands.contains { $0.hasPrefix("AUTH XOAUTH2") })
        #expect(second.mails.count == 1)
    }

    @Test("a server that does not encrypt gets neither the password nor the mail")
    func noEncryption() async throws {
        let sink = try SMTPSink()
        await #expect { try await send(to: sink, .starttls, as: Self.login) } throws: { error in
            (error as? SMTPError)?.code == .unavailable
        }
        #expect(!sink.commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
    }

    @Test(
        "a refusal is about the mail from RCPT on, final with 5xx and for now with 4xx; before, it is about the server",
        arguments: [
            ("RCPT", "550 5.1.1 no such user", SMTPError.Code.refused), ("RCPT", "451 4.7.1 later", .postponed),
            ("RCPT", "421 bye", .unavailable), ("DATA", "451 later", .postponed), ("DATA", "421 bye", .unavailable),
            (".", "554 no spam", .refused), (".", "452 full", .postponed), (".", "421 bye", .unavailable),
            ("MAIL", "552 too big", .refused), ("MAIL", "451 busy", .unavailable),
            ("MAIL", "530 5.7.0 login first", .unavailable), ("AUTH", "535 wrong", .unavailable),
            ("AUTH", "454 later", .unavailable),
        ])
    func answers(_ verb: String, _ answer: String, _ code: SMTPError.Code) async throws {
        let sink = try SMTPSink()
        sink.change { $0.answer = { $0.hasPrefix(verb) ? answer : nil } }
        await #expect { try await send(to: sink, as: Self.login) } throws: { error in
            let error = error as? SMTPError
            return error?.code == code && error?.detail.contains(answer.suffix(4)) == true
                && error?.detail.contains("s3cret") == false
        }
        #expect(sink.mails.isEmpty)
    }

    @Test("a greeting that refuses is about the server", arguments: ["421 busy", "554 no service for you"])
    func greeting(_ greeting: String) async throws {
        let sink = try SMTPSink()
        sink.change { $0.greeting = greeting }
        await #expect { try await send(to: sink) } throws: { ($0 as? SMTPError)?.code == .unavailable }
    }

    @Test("a refusal that was got over is no answer to what comes after it")
    func formerRefusal() async throws {
        let sink = try SMTPSink()
        sink.change {
            $0.answer = { $0.hasPrefix("EHLO") ? "502 what?" : nil }
            $0.hangsUp = { $0.hasPrefix("RCPT") }
        }
        await #expect { try await send(to: sink) } throws: { ($0 as? SMTPError)?.code == .unavailable }
        #expect(sink.commands.contains { $0.hasPrefix("RCPT") })
    }

    @Test("a connection that breaks may be tried again", arguments: ["EHLO", "RCPT", "."])
    func broken(_ verb: String) async throws {
        let sink = try SMTPSink()
        sink.change { $0.hangsUp = { $0.hasPrefix(verb) } }
        await #expect { try await send(to: sink) } throws: { ($0 as? SMTPError)?.code == .unavailable }
    }

    @Test("a server where nobody listens, and one at a metadata address, are not available")
    func unreachable() async throws {
        let recipient = try #require(MailAddress("ada@example.org"))
        for (host, port) in [("127.0.0.1", 1), ("169.254.169.254", 25)] {
            let target = StreamTarget(host: host, port: port, encryption: .none)
            let client = SMTPClient(target, name: "x", pool: Self.pool, timeout: .seconds(5))
            await #expect { try await client.send(Self.mail, to: recipient, as: nil) } throws: {
                ($0 as? SMTPError)?.code == .unavailable
            }
        }
    }
}
