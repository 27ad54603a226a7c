import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Mail by LMTP", .timeLimit(.minutes(10)))
struct LMTPTests {
    private let mail =
        "Received: from mx\r\nMessage-ID: <one@example.net>\r\nSubject: Hello\r\n\r\nhttps://example.com/\r\n"

    @Test("a mail for two people is answered for each, and each has a body of his own")
    func twoRecipients() async throws {
        try await LMTPStage.open { lmtp in
            let client = try await lmtp.client(for: lmtp.stage.addresses)
            #expect(await client.say("DATA")?.hasPrefix("354 ") == true)
            await client.send(mail + "..dots\r\n...\r\n.\r\n")
            let replies = await client.replies(2)
            #expect(replies.map { $0.prefix(10) } == ["250 2.0.0 ", "250 2.0.0 "])
            for tenant in 0..<2 {
                let messages = try await lmtp.stage.messages(1, of: tenant)
                let message = try #require(messages.first)
                #expect(messages.count == 1)
                #expect(replies[tenant].hasSuffix(message.id.rawValue))
                #expect(message.envelope.sender == "ada@example.net")
                #expect(message.envelope.recipient == "pins+…@example.org")
                let body = try lmtp.stage.store.open(try #require(message.body)).read(upTo: 1 << 20)
                #expect(String(decoding: body, as: UTF8.self) == mail + ".dots\r\n..\r\n")
            }
            #expect(await client.say("QUIT")?.hasPrefix("221 ") == true)
        }
    }

    @Test("one and the same answer for everything that is no live address")
    func unknown() async throws {
        try await LMTPStage.open { lmtp in
            let client = try await lmtp.client(for: [])
            let token = lmtp.address.split { $0 == "+" || $0 == "@" }[1]
            let wrongCheck = "pins+\(token.dropLast())\(token.last == "a" ? "b" : "a")@example.org"
            let others = [
                wrongCheck, "pins+nobody@example.org", "pins@example.org", "info@example.org", "pins+\(token)@x.org",
                "postmaster", "\"a b\"@example.org", "ünï@example.org",
            ]
            for address in others {
                #expect(await client.say("RCPT TO:<\(address)>") == "550 5.1.1 No such address", "\(address)")
            }
            #expect(await client.say("DATA")?.hasPrefix("503 5.5.1") == true)
            for form in [
                "\(token)@example.org", "PINS+\(token.uppercased()).trips@EXAMPLE.org", "@a,@b:\(lmtp.address)",
            ] {
                #expect(await client.say("RCPT TO:<\(form)>") == "250 2.1.5 Ok", "\(form)")
            }
        }
    }

    @Test("an account that has received as much as it may in a day is asked for later, and no other")
    func spent() async throws {
        try await LMTPStage.open(within: TenantAllowance(bytesPerDay: mail.utf8.count)) { lmtp in
            let client = try await lmtp.client(for: [lmtp.address])
            _ = await client.say("DATA")
            await client.send(mail + ".\r\n")
            #expect(await client.replies(1).first?.hasPrefix("250 2.0.0 ") == true)
            _ = await client.say("MAIL FROM:<ada@example.net>")
            let (own, other) = (lmtp.stage.addresses[0], lmtp.stage.addresses[1])
            #expect(await client.say("RCPT TO:<\(own)>")?.hasPrefix("452 4.2.2 ") == true)
            #expect(await client.say("RCPT TO:<\(other)>") == "250 2.1.5 Ok")
        }
    }

    @Test("a mail that comes again, here or through the pipe, changes nothing")
    func repeats() async throws {
        try await LMTPStage.open { lmtp in
            let client = try await lmtp.client(for: [lmtp.address])
            _ = await client.say("DATA")
            let first = await client.say(mail + ".")
            for line in ["MAIL FROM:<>", "RCPT TO:<\(lmtp.address)>", "DATA"] { _ = await client.say(line) }
            #expect(await client.say("Received: from elsewhere\r\n" + mail + ".") == first)
            let intake = lmtp.stage.ports.intake
            let piped = intake.begin()
            try await intake.take(Array(mail.utf8), of: piped)
            let destination = try #require(try await intake.destination(of: lmtp.address))
            let result = try #require(try await intake.accept(piped, for: [destination], from: nil).first)
            guard case .accepted(let acceptance) = try result.get() else { throw StoreError(.notFound) }
            #expect(acceptance.isRepeat)
            #expect(try await lmtp.stage.messages(1).count == 1)
        }
    }

    @Test("a whole conversation in one write is answered in order")
    func pipelining() async throws {
        try await LMTPStage.open { lmtp in
            let client = try await lmtp.client()
            await client.send(
                "LHLO x\r\nMAIL FROM:<> SIZE=300 BODY=8BITMIME SMTPUTF8\r\nRCPT TO:<nobody@example.org>\r\n"
                    + "RCPT TO:<\(lmtp.address)>\r\nNOOP\r\nDATA\r\n\(mail).\r\nRSET\r\nVRFY x\r\nQUIT\r\n")
            let codes = await client.rest().map { $0.prefix(3) }
            #expect(codes == ["250", "250", "550", "250", "250", "354", "250", "250", "252", "221"])
            #expect(try await lmtp.stage.messages(1).first?.envelope.sender == "")
        }
    }

    @Test("trouble on our side is 451, at RCPT as well as behind the mail, and nothing is lost or left")
    func trouble() async throws {
        try await LMTPStage.open { lmtp in
            let client = try await lmtp.client(for: [lmtp.address])
            lmtp.stage.disk.isFull = true
            _ = await client.say("DATA")
            #expect(await client.say(mail + ".") == "451 4.3.1 No room on the disk; try again later")
            lmtp.stage.disk.isFull = false
            for line in ["MAIL FROM:<>", "RCPT TO:<\(lmtp.address)>", "DATA"] { _ = await client.say(line) }
            #expect(await client.say(mail + ".")?.hasPrefix("250 ") == true)
            #expect(try await lmtp.stage.messages(1).count == 1)
            await lmtp.stage.store.abandon()
            _ = await client.say("MAIL FROM:<>")
            #expect(await client.say("RCPT TO:<pins+never-asked-for@example.org>") == "451 4.3.0 Try again later")
        }
    }

    @Test("what is no mail is refused for good")
    func noMail() async throws {
        try await LMTPStage.open { lmtp in
            for content in ["", "#!/bin/sh\r\necho from: here\r\n", "{\"from\": 1}\r\n", "just words\r\n"] {
                let client = try await lmtp.client(for: [lmtp.address])
                _ = await client.say("DATA")
                #expect(await client.say(content + ".") == "554 5.6.0 Not a mail", "\(content)")
            }
            #expect(try await lmtp.stage.store.messages(of: lmtp.stage.tenants[0].id, newest: 9).isEmpty)
        }
    }

    @Test("a Unix socket takes the place of one that a crash left, but not of a file")
    func unixSocket() async throws {
        try await MailboxStage.open { stage in
            let path = stage.folder + "/lmtp.sock"
            for _ in 0..<2 {
                let listener = try LMTPListener(on: .socket(path: path))
                let service = LMTPService(on: listener, intake: stage.ports.intake, logger: .silent)
                try await LMTPStage.serving(service) {
                    let client = try LMTPClient(path: path)
                    #expect(await client.reply()?.hasPrefix("220 ") == true)
                    #expect(await client.say("LHLO x")?.hasPrefix("250 ") == true)
                }
            }
            let file = stage.folder + "/notes"
            try Data("mine".utf8).write(to: URL(filePath: file))
            #expect(throws: LMTPError.self) { try LMTPListener(on: .socket(path: file)) }
            #expect(try Data(contentsOf: URL(filePath: file)) == Data("mine".utf8))
        }
    }

    @Test("a client that waits when Pinpost stops is told to come again")
    func stop() async throws {
        try await MailboxStage.open { stage in
            let listener = try LMTPListener(on: .loopback(host: "127.0.0.1", port: 0))
            let service = LMTPService(on: listener, intake: stage.ports.intake, logger: .silent)
            let client = try LMTPClient(port: Int(listener.port))
            try await LMTPStage.serving(service) { _ = await client.reply() }
            #expect(await client.reply() == "421 4.3.2 Shutting down")
            #expect(await client.reply() == nil)
        }
    }
}
