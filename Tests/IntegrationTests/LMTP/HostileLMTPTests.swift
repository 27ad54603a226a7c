import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Clients of LMTP that mean no good", .timeLimit(.minutes(10)))
struct HostileLMTPTests {
    private let header = "Subject: a\r\n\r\n"

    private func stored(_ lmtp: LMTPStage) async throws -> [Message] {
        try await lmtp.stage.store.messages(of: lmtp.stage.tenants[0].id, newest: 100)
    }

    @Test(
        "a line that ends by half beside a dot is refused, and what follows is no command",
        arguments: ["\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r\n", "\r\n.\rx", "\r.\rx", "\r\n.\r\r\n"])
    func smuggling(_ trick: String) async throws {
        try await LMTPStage.open { lmtp in
            let client = try await lmtp.client(for: [lmtp.address])
            _ = await client.say("DATA")
            let smuggled = "MAIL FROM:<>\r\nRCPT TO:<\(lmtp.address)>\r\nDATA\r\nSubject: b\r\n\r\nb\r\n.\r\n"
            await client.send(header + "a" + trick + smuggled + "QUIT\r\n")
            #expect(await client.rest() == ["554 5.6.0 A line end without its other half beside a dot"])
            #expect(try await stored(lmtp).isEmpty)
        }
    }

    @Test("lone line ends elsewhere are kept as they came")
    func bareLineEnds() async throws {
        try await LMTPStage.open { lmtp in
            let client = try await lmtp.client(for: [lmtp.address])
            _ = await client.say("DATA")
            let text = header + "a\nb\rc\r\rd\n\n.e\n..\r\n"
            await client.send(text + ".\r\n")
            #expect(await client.reply()?.hasPrefix("250 ") == true)
            let body = try #require(try await stored(lmtp).first?.body)
            #expect(try lmtp.stage.store.open(body).read(upTo: 1_000) == Array(text.utf8))
        }
    }

    @Test(
        "commands of wrong form are refused",
        arguments: [
            ("EHLO x", "500 5.5.1"), ("LHLO", "501 5.5.4"), ("MAIL FROM:ada@example.net", "501 5.5.4"),
            ("MAIL FROM:<a@b> SIZE=-1", "501 5.5.4"), ("MAIL FROM:<a@b> SIZE=x", "501 5.5.4"),
            ("MAIL FROM:<a@b> BODY=BINARYMIME", "555 5.5.4"), ("MAIL FROM:<a@b> RET=FULL", "555 5.5.4"),
            ("MAIL FROM:<ü@b>", "553 5.6.7"), ("MAIL FROM:<a b@c>", "501 5.5.4"), ("RCPT TO:<a@b>", "503 5.5.1"),
            ("RCPT TO:<>", "501 5.5.4"), ("RCPT TO:<a@b> NOTIFY=NEVER", "555 5.5.4"), ("DATA", "503 5.5.1"),
            ("DATA x", "501 5.5.4"), ("XYZZY", "500 5.5.1"), ("BDAT 3", "500 5.5.1"), ("", "500 5.5.1"),
            ("NOOP\0", "501 5.5.4"), ("MAIL FROM:<a@b> SIZE=52428801", "552 5.3.4"),
            ("MAIL FROM:<a@b> =", "501 5.5.4"), ("MAIL FROM:<a@b> SIZE=99999999999999999999", "552 5.3.4"),
        ])
    func wrongCommands(_ line: String, _ code: String) async throws {
        try await LMTPStage.open { lmtp in
            let client = try await lmtp.client()
            _ = await client.say("LHLO x")
            #expect(await client.say(line)?.prefix(9) ?? "" == code)
            #expect(await client.say("NOOP") == "250 2.0.0 Ok")
        }
    }

    @Test("MAIL needs LHLO, and comes once")
    func order() async throws {
        try await LMTPStage.open { lmtp in
            let client = try await lmtp.client()
            #expect(await client.say("MAIL FROM:<>")?.hasPrefix("503 ") == true)
            _ = await client.say("LHLO x")
            #expect(await client.say("MAIL FROM:<>")?.hasPrefix("250 ") == true)
            #expect(await client.say("MAIL FROM:<>")?.hasPrefix("503 ") == true)
            _ = await client.say("RSET")
            #expect(await client.say("RCPT TO:<\(lmtp.address)>")?.hasPrefix("503 ") == true)
        }
    }

    @Test("a half line end and a line without end cost the connection")
    func lines() async throws {
        try await LMTPStage.open { lmtp in
            for line in ["NOOP\nNOOP\r\n", "NOOP\rNOOP\r\n"] {
                let client = try await lmtp.client()
                await client.send(line)
                #expect(await client.rest() == ["500 5.5.2 Lines end with <CR><LF>"])
            }
            let client = try await lmtp.client()
            await client.send(String(repeating: "x", count: 3_000))
            #expect(await client.rest() == ["500 5.5.6 Line too long"])
        }
    }

    @Test("too many mistakes, commands or recipients end in a refusal")
    func tooMany() async throws {
        var limits = LMTPLimits()
        (limits.mistakes, limits.commands, limits.recipients) = (3, 10, 2)
        try await LMTPStage.open(limits) { lmtp in
            let client = try await lmtp.client()
            await client.send(String(repeating: "XYZZY\r\n", count: 5))
            #expect(await client.rest().map { $0.prefix(3) } == ["500", "500", "500", "500", "421"])
            let patient = try await lmtp.client()
            await patient.send(String(repeating: "NOOP\r\n", count: 12))
            #expect(await patient.rest().last == "421 4.7.0 Too many commands")
            let many = try await lmtp.client(for: [lmtp.address, lmtp.stage.addresses[1]])
            #expect(await many.say("RCPT TO:<\(lmtp.address)>") == "452 4.5.3 Too many recipients")
            _ = await many.say("DATA")
            await many.send(header + "a\r\n.\r\n")
            #expect(await many.replies(2).allSatisfy { $0.hasPrefix("250 ") })
        }
    }

    @Test("a mail over the limit is read to its end and refused; the next one is taken")
    func tooLarge() async throws {
        var limits = LMTPLimits()
        limits.messageBytes = 100_000
        try await LMTPStage.open(limits) { lmtp in
            let client = try await lmtp.client(for: [lmtp.address])
            _ = await client.say("DATA")
            await client.send(header + String(repeating: "x\r\n", count: 200_000) + ".\r\n")
            #expect(await client.reply() == "552 5.3.4 Message too large")
            for line in ["MAIL FROM:<>", "RCPT TO:<\(lmtp.address)>", "DATA"] { _ = await client.say(line) }
            await client.send(header + String(repeating: "x\r\n", count: 30_000) + ".\r\n")
            #expect(await client.reply()?.hasPrefix("250 ") == true)
            #expect(try await stored(lmtp).map(\.body?.count) == [90_014])
        }
    }

    @Test("who is silent, slow or one too many is let go")
    func slow() async throws {
        // One limit at a time: on a slow machine another one might come first.
        var one = LMTPLimits()
        one.connections = 1
        try await LMTPStage.open(one) { lmtp in
            let first = try await lmtp.client()
            let second = try LMTPClient(port: lmtp.port)
            #expect(await second.rest() == ["421 4.3.2 Too many connections"])
            #expect(await first.say("NOOP") == "250 2.0.0 Ok")
        }
        var idle = LMTPLimits()
        idle.idle = .milliseconds(300)
        try await LMTPStage.open(idle) { lmtp in
            let silent = try await lmtp.client()
            #expect(await silent.rest() == ["421 4.4.2 Timeout"])
        }
        var slow = LMTPLimits()
        slow.mail = .milliseconds(300)
        try await LMTPStage.open(slow) { lmtp in
            let slow = try await lmtp.client(for: [lmtp.address])
            _ = await slow.say("DATA")
            await slow.send(header)
            #expect(await slow.rest() == ["421 4.4.2 Timeout"])
            #expect(try await stored(lmtp).isEmpty)
        }
    }

    @Test("cut at every byte, a mail is there once and only if its end came")
    func cuts() async throws {
        var limits = LMTPLimits()
        limits.connections = 1_000
        try await LMTPStage.open(limits) { lmtp in
            let end = "Message-ID: <cut@example.net>\r\nSubject: a\r\n\r\n..a\r\n.\r\n"
            let session =
                "LHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<\(lmtp.address)>\r\nDATA\r\n\(end)QUIT\r\n"
            let complete = session.utf8.count - 6
            let descriptors = try Self.descriptors()
            for length in 0..<complete {
                let client = try await lmtp.client()
                await client.send(Array(session.utf8.prefix(length)))
                await client.finishSending()
                _ = await client.rest()
            }
            #expect(try await stored(lmtp).isEmpty)
            for length in complete...session.utf8.count {
                let client = try await lmtp.client()
                await client.send(Array(session.utf8.prefix(length)))
                await client.finishSending()
                #expect(await client.rest().contains { $0.hasPrefix("250 2.0.0 Ok ") })
            }
            #expect(try await stored(lmtp).count == 1)
            // The store opens a few of its own meanwhile; a leak would have left one of each session.
            let most = descriptors + complete / 10
            let left = try await eventually({ $0 <= most }) { try Self.descriptors() }
            #expect(left <= most)
        }
    }

    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
