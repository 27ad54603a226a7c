import Mail
import PinpostCore
import PinpostTesting
import Testing

@Suite("Hostile and broken mails", .timeLimit(.minutes(10)))
struct RobustnessTests {
    static let small = ["names", "winmail-dat", "broken-structure", "commands", "wrapped-links", "reply-with-quote"]

    @Test("a mail with changed bytes is read or refused, and nothing traps", arguments: FixtureTests.names)
    func flips(_ name: String) throws {
        let mail = try Samples.bytes("\(FixtureTests.folder)/\(name).eml")
        var random = SplitMix(seed: 1)
        for _ in 0..<25 {
            var changed = mail
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let place = Int.random(in: 0..<min(changed.count, 4_000), using: &random)
                changed[place] = Bool.random(using: &random) ? UInt8.random(in: .min ... .max, using: &random) : 10
            }
            _ = try? read(changed)
        }
    }

    @Test("every beginning of a mail is read or refused", arguments: small)
    func prefixes(_ name: String) throws {
        let mail = try Samples.bytes("\(FixtureTests.folder)/\(name).eml")
        for length in stride(from: 0, to: mail.count, by: max(1, mail.count / 250)) {
            _ = try? read(Array(mail.prefix(length)))
        }
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Four times as long for size 4.
        let mail: @Sendable (Int) -> String
    }

    private static func times(_ piece: String, _ count: Int) -> String { String(repeating: piece, count: count) }

    private static func nested(_ count: Int) -> String {
        (0..<count).map { "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n" }.joined()
    }

    static let hostile: [Hostile] = [
        Hostile(testDescription: "multiparts in multiparts") { nested(1_875 * $0) + "\nx" },
        Hostile(testDescription: "messages in messages") {
            times("Content-Type: message/rfc822\n\n", 6_250 * $0) + "x"
        },
        Hostile(testDescription: "one boundary for all levels") {
            times("Content-Type: multipart/mixed; boundary=b\n\n--b\n", 3_125 * $0) + "\nx"
        },
        Hostile(testDescription: "empty parts") {
            "Content-Type: multipart/mixed; boundary=b\n\n" + times("--b\n\n\n", 31_250 * $0)
        },
        Hostile(testDescription: "header fields") { times("X-A: b\n", 31_250 * $0) + "\nx" },
        Hostile(testDescription: "one long header line") { "X-Long: " + times("a", 312_500 * $0) + "\n\nx" },
        Hostile(testDescription: "encoded words") { "Subject: " + times("=?utf-8?Q?a?= ", 1_125 * $0) + "\n\nx" },
        Hostile(testDescription: "encoded words that never end") {
            "Subject: " + times("=?a?Q?", 2_500 * $0) + "\n\nx"
        },
        Hostile(testDescription: "encoded words in changing charsets") {
            "Subject: " + times("=?koi8-r?Q?a?= =?big5?Q?a?= ", 562 * $0) + "\n\nx"
        },
        Hostile(testDescription: "addresses") { "From: " + times("a@b,", 3_750 * $0) + "\n\nx" },
        Hostile(testDescription: "nested groups") {
            "To: " + times("g:", 6_250 * $0) + times(";", 3_125 * $0) + "\n\nx"
        },
        Hostile(testDescription: "nested comments") {
            "To: " + times("(", 6_250 * $0) + times(")", 6_250 * $0) + "a@b\n\nx"
        },
        Hostile(testDescription: "parameters") { "Content-Type: image/jpeg;" + times(" p=v;", 3_125 * $0) + "\n\nx" },
        Hostile(testDescription: "a long charset") {
            "Content-Type: text/plain; charset=" + times("a", 12_500 * $0) + "\n\n\u{E9}"
        },
        Hostile(testDescription: "base64 without base64") {
            "Content-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n" + times("!@#$%^&*()", 31_250 * $0)
        },
        Hostile(testDescription: "lines that begin like a boundary") {
            "Content-Type: multipart/mixed; boundary=\(times("b", 70))\n\n"
                + times("--" + times("b", 69) + "\n", 3_750 * $0)
        },
        Hostile(testDescription: "many boundaries and then lines") {
            nested(1_000) + "--b999\n\n" + times("--x\n", 18_750 * $0)
        },
        Hostile(testDescription: "quotes, blanks and colons") {
            "A: b\n\n" + times(">\n\n:\nOn 1 \nFrom: a\n", 2_500 * $0)
        },
        Hostile(testDescription: "quoted blank lines behind a colon") { "A: b\n\n5:\n" + times(">\n", 18_750 * $0) },
        Hostile(testDescription: "blank lines inside a quote") {
            "Content-Type: text/html\n\nhi 5:<blockquote>" + times("<br>", 9_375 * $0)
        },
        Hostile(testDescription: "tags that never close") {
            "Content-Type: text/html\n\n" + times("<a href=\"", 6_250 * $0)
        },
        Hostile(testDescription: "open elements") {
            "Content-Type: text/html\n\n" + times("<div><blockquote>", 3_125 * $0) + times("</div>", 3_125 * $0)
        },
        Hostile(testDescription: "declarations") { "Content-Type: text/html\n\n" + times("<!><!---->", 5_625 * $0) },
        Hostile(testDescription: "data links") {
            "Content-Type: text/html\n\n" + times("data:image/png;base64,AAAA\"", 1_875 * $0)
        },
        Hostile(testDescription: "uuencoded files") { "A: b\n\n" + times("begin 644 a\n#86)C\nend\n", 2_500 * $0) },
        Hostile(testDescription: "brackets and hashes") {
            "A: b\nSubject: " + times("[#", 3_750 * $0) + "\n\n" + times("[image: ", 6_250 * $0)
        },
    ]

    @Test("a mail that is built to hurt costs in proportion to its length", arguments: hostile)
    func storms(_ hostile: Hostile) {
        #expect(growsLinearly(to: 4, { Array(hostile.mail($0).utf8) }) { _ = try? read($0) })
    }
}
