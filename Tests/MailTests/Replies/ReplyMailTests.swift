import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing

@testable import Mail

@Suite("What an answer looks like", .timeLimit(.minutes(10)))
struct ReplyMailTests {
    private func answer(to reply: OwedReply) async throws -> (text: String, content: MessageContent) {
        let mail = try #require(try await ReplyStage().answer(to: reply))
        return (mail.text, try read(mail.text))
    }

    private func body(_ text: String) -> String {
        var decoder = ""
        let part = text.split(separator: "quoted-printable\r\n\r\n", maxSplits: 2)[1]
        for line in part.split(separator: "\r\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("--=_") { break }
            decoder += line.hasSuffix("=") ? String(line.dropLast()) : line + "\n"
        }
        return decoder
    }

    @Test("it says which pins were made, what was left out, what failed and what is being tried again")
    func sections() async throws {
        let items = [
            Item.fixture(0, name: "sea.jpg", pin: 21), .fixture(1, name: "x.heic", .parked, reason: "It is damaged."),
            .fixture(2, name: "y.jpg", .ready, reason: "Pinry is not available."),
        ]
        let skipped = [SkippedPart(.image, name: "logo.png", reason: "a logo in the signature")]
        let text = body(try await answer(to: .fixture(items: items, skipped: skipped, note: "A note.")).text)
        #expect(
            text == """
                This was pinned:

                  - sea.jpg
                    https://pinry.example/pins/21

                Not pinned:

                  - x.heic: It is damaged.

                Not yet pinned; this is being tried again:

                  - y.jpg: Pinry is not available.

                Left out:

                  - logo.png: a logo in the signature

                A note.

                --=20
                Pinpost, for the Pinry of ada. A program wrote this; nobody reads answers to it.


                """)
    }

    @Test("its fields are those of an answer, the same for every attempt")
    func fields() async throws {
        let first = try await answer(to: .fixture())
        let second = try await answer(to: .fixture())
        #expect(first.text == second.text)
        for field in [
            "From: Pinpost <pins@example.org>", "To: <ada@example.net>", "Subject: Re: Holiday",
            "Date: Sun, 15 Jun 2025 15:06:40 +0000", "Message-ID: <pinpost.reply.m1@example.org>",
            "In-Reply-To: <1@example.net>", "References: <1@example.net>", "Auto-Submitted: auto-replied",
            "X-Loop: pins@example.org",
        ] {
            #expect(first.text.contains("\(field)\r\n"), "\(field)")
        }
        #expect(first.content.automated?.hasPrefix("auto-submitted") == true)
    }

    @Test("a thread is carried on, and what is no id is not")
    func thread() async throws {
        let mail = """
            From: ada@example.net
            Message-ID: <2@example.net>
            References: <0@example.net> rubbish <a b> <1@example.net>

            x

            """
        let text = try await answer(to: .fixture(to: mail)).text
        #expect(text.contains("References: <0@example.net>\r\n <1@example.net>\r\n <2@example.net>\r\n"))
        let bad = "From: ada@example.net\nMessage-ID: <2@exam\u{1}ple.net>\n\nx\n"
        #expect(!(try await answer(to: .fixture(to: bad)).text.contains("In-Reply-To")))
    }

    @Test(
        "any subject comes through, and none adds a field",
        arguments: [
            ("Grüße aus Köln", "Re: Grüße aus Köln"), ("=?utf-8?Q?Bcc:_a=0D=0ABcc:_b?=", "Re: Bcc: a Bcc: b"),
            ("Re: AW: Fwd: x", "Re: x"), ("", "Re: your mail"),
            ("👩‍👩‍👧‍👦 " + String(repeating: "🌊", count: 40), "Re: 👩‍👩‍👧‍👦 " + String(repeating: "🌊", count: 40)),
            (String(repeating: "long ", count: 30), "Re: " + String(repeating: "long ", count: 29) + "long"),
        ])
    func subject(_ subject: String, _ expected: String) async throws {
        let mail = "From: ada@example.net\nSubject: \(subject)\n\nx\n"
        let answer = try await answer(to: .fixture(to: mail))
        #expect(answer.content.subject == expected)
        #expect(!answer.text.lowercased().contains("\r\nbcc:"))
    }

    @Test("no line is longer than 78 characters, and all is ASCII with CR LF")
    func lines() async throws {
        let name = String(repeating: "lörem ipsum ", count: 40)
        let text = try await answer(to: .fixture(items: [.fixture(0, name: name, pin: 1)])).text
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 78 })
        #expect(text.utf8.allSatisfy { $0 < 0x7F })
        #expect(lines.allSatisfy { !$0.contains("\n") })
    }

    @Test("no token of ours is quoted, wherever it stood")
    func tokens() async throws {
        let token = "pins+abcdefghijklmnopqrstuvwxyz@example.org"
        let mail = "From: ada@example.net\nSubject: to \(token)\n\nx\n"
        let skipped = [SkippedPart(.link, name: "mailto:\(token)", reason: "sent to \(token)")]
        let items = [Item.fixture(0, name: "\(token).jpg", .parked, reason: "for \(token)")]
        let text = try await answer(to: .fixture(to: mail, items: items, skipped: skipped, note: token)).text
        #expect(!text.replacing("=\r\n", with: "").contains("abcdefghij"))
    }

    @Test("names are text in HTML too, and only pins are links")
    func markup() async throws {
        let items = [
            Item.fixture(0, name: "<img src=x onerror=alert(1)>&\"'", pin: 21),
            .fixture(1, name: "https://evil.example/", .parked),
        ]
        let text = try await answer(to: .fixture(items: items)).text.replacing("=\r\n", with: "")
        let html = text.drop { $0 != "<" }.split(separator: "<!DOCTYPE")[1]
        #expect(!html.contains("<img"))
        #expect(html.contains("&lt;img"))
        #expect(!text.contains("href=3D\"https://evil"))
        #expect(text.contains("href=3D\"https://pinry.example/pins/21\""))
    }

    @Test("many things are counted, not listed")
    func many() async throws {
        let items = (0..<150).map { Item.fixture($0, pin: Int64($0)) }
        let text = body(try await answer(to: .fixture(items: items)).text)
        #expect(text.contains("These 150 were pinned:"))
        #expect(text.contains("  - and 50 more\n"))
    }

    @Test("a mail without anything to pin is answered so")
    func nothing() async throws {
        #expect(body(try await answer(to: .fixture(items: [])).text).hasPrefix(ReplyText.nothing))
    }
}
