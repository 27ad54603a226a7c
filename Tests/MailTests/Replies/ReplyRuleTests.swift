import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing

@testable import Mail

@Suite("Who is answered", .timeLimit(.minutes(10)))
struct ReplyRuleTests {
    private static func mail(_ fields: String, from: String = "Ada <ada@example.net>") -> String {
        "From: \(from)\r\nTo: pins+abcdefghij@example.org\r\nMessage-ID: <1@example.net>\r\n\(fields)\r\n\r\nhello\r\n"
    }

    @Test("a person who is vouched for, at the address of the only From")
    func person() async throws {
        let stage = try ReplyStage()
        let mail = try #require(try await stage.answer(to: .fixture(to: Self.mail("Subject: x"))))
        #expect(mail.from.isEmpty)
        #expect(mail.recipients == ["ada@example.net"])
        #expect(stage.gate.correspondents.count == 1)
    }

    @Test("nobody without somebody's word for the sender")
    func untrusted() async throws {
        var stage = try ReplyStage()
        stage.isTrusted = false
        #expect(try await stage.answer(to: .fixture()) == nil)
    }

    @Test(
        "no program",
        arguments: [
            "Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated; x", "Precedence: bulk", "Precedence: list",
            "Precedence: auto_reply", "List-Id: <a.example.net>", "List-Unsubscribe: <mailto:a@b.c>",
            "X-Auto-Response-Suppress: All", "X-Autoreply: yes", "X-Autorespond: yes", "Return-Path: <>",
            "Content-Type: multipart/report; boundary=x", "X-Loop: somebody@example.com",
        ])
    func automated(_ field: String) async throws {
        let stage = try ReplyStage()
        #expect(try await stage.answer(to: .fixture(to: Self.mail(field))) == nil)
        #expect(stage.gate.correspondents.isEmpty)
    }

    @Test(
        "no address of a program, and none of ours",
        arguments: [
            "mailer-daemon@example.net", "MAILER-DAEMON@example.net", "postmaster@example.net",
            "no-reply@example.net", "noreply@example.net", "do_not_reply@example.net", "owner-list@example.net",
            "list-request@example.net", "bounces+1@example.net", "pins@example.org", "Pins@Example.ORG",
            "pins+abcdefghij@example.org",
        ])
    func programs(_ address: String) async throws {
        let stage = try ReplyStage()
        #expect(try await stage.answer(to: .fixture(to: Self.mail("Subject: x", from: address))) == nil)
    }

    @Test(
        "no sender who is not one plain address",
        arguments: [
            "a@b.example, c@d.example", "undisclosed:;", "\"a b\"@example.net", "ada@[127.0.0.1]", "",
            "Ada <ada@example.net>\r\nFrom: eve@evil.example",
        ])
    func strangeSenders(_ from: String) async throws {
        let stage = try ReplyStage()
        #expect(try await stage.answer(to: .fixture(to: Self.mail("Subject: x", from: from))) == nil)
    }

    @Test("no mail with an empty return path, and none more than the limits allow")
    func limits() async throws {
        let stage = try ReplyStage()
        #expect(try await stage.answer(to: .fixture(sender: "")) == nil)
        stage.gate.close()
        #expect(try await stage.answer(to: .fixture()) == nil)
    }

    @Test("a tenant may want answers about failures alone, or none")
    func wishes() async throws {
        let stage = try ReplyStage()
        #expect(try await stage.answer(to: .fixture(replies: .never)) == nil)
        #expect(try await stage.answer(to: .fixture(replies: .failures)) == nil)
        let failed = [Item.fixture(0, pin: 1), .fixture(1, .parked)]
        #expect(try await stage.answer(to: .fixture(items: failed, replies: .failures)) != nil)
        #expect(try await stage.answer(to: .fixture(items: [.fixture(0, .ready)], replies: .failures)) != nil)
        #expect(try await stage.answer(to: .fixture(items: [], replies: .failures)) != nil)
        #expect(try await stage.answer(to: .fixture(replies: .always)) != nil)
    }

    @Test("two Pinposts that write to each other fall silent after one answer")
    func loop() async throws {
        let (here, there) = (try ReplyStage(), try ReplyStage(as: "pins@example.net"))
        let mail = Self.mail("Subject: x", from: "pins@example.net")
        let answer = try #require(try await here.answer(to: .fixture(to: mail)))
        #expect(try await there.answer(to: .fixture(to: answer.text)) == nil)
        // Even where a server on the way has lost the marks of an answer.
        let marks = ["auto-submitted", "x-auto-response-suppress", "x-loop"]
        let lines = answer.text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let bare = lines.filter { line in !marks.contains { line.lowercased().hasPrefix($0) } }
        #expect(bare.count == lines.count - 3)
        #expect(try await there.answer(to: .fixture(to: bare.joined(separator: "\r\n"))) == nil)
    }

    @Test(
        "a server that takes nothing now is told apart from one that takes this later, or never",
        arguments: [
            ("MAIL", "451 busy", ReplyError.Code.unavailable), ("RCPT", "451 later", .postponed),
            ("RCPT", "550 never", .refused),
        ])
    func failures(_ verb: String, _ answer: String, _ code: ReplyError.Code) async throws {
        let stage = try ReplyStage()
        stage.sink.change { $0.answer = { $0.hasPrefix(verb) ? answer : nil } }
        await #expect { try await stage.send(.fixture()) } throws: { ($0 as? ReplyError)?.code == code }
    }
}
