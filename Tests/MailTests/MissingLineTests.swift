import PinpostTesting
import Testing

@testable import Mail

@Suite("Mails that lack the empty line behind a header, or write it in their own way")
struct MissingLineTests {
    static let picture = String(repeating: "QUJD", count: 16)

    static let rows: [(mail: String, events: [String])] = [
        (
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\nLook here\nthen: there\n--b--",
            ["message 0 1", "text/plain mixed 0", "= Look here\nthen: there"]
        ),
        (
            "Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/related; boundary=i\n--i\n\none\n--i--\n--o--",
            ["message 0 1", "text/plain mixed/related 0", "= one"]
        ),
        (
            "Content-Type: multipart/mixed; boundary=b\n--b\n\none\n--b--",
            ["message 0 1", "text/plain mixed 0", "= one"]
        ),
        (
            "A: b\nContent-Type: text/plain\nhello there\nmore\n",
            ["message 0 2", "text/plain  0", "= hello there\nmore\n"]
        ),
        (
            "A: b\nContent-Transfer-Encoding: base64\n\(picture)\nQUJD\n",
            ["message 0 2", "text/plain  0", "= " + String(repeating: "ABC", count: 17)]
        ),
        (
            "Content-Type: message/rfc822\n\nA: b\nContent-Type: text/plain\nfirst words\n",
            ["message 0 1", "message 1 2", "text/plain  1", "= first words\n"]
        ),
        // More fields behind a broken line: it is a header to its end.
        ("broken line\nA: b\nanother one\nSubject: c\n", ["message 0 2", "text/plain  0", "= "]),
        // A signature that is folded without the blank is no body.
        ("DKIM-Signature: b=\n\(picture)\nA: b\n\nhello", ["message 0 2", "text/plain  0", "= hello"]),
        // The mail ends in the middle of a field.
        ("A: b\nContent-Ty", ["message 0 1", "text/plain  0", "= "]),
        ("A: b\r\r\nC: d\r\r\n\r\r\nhello", ["message 0 2", "text/plain  0", "= hello"]),
        (
            "Content-Type: multipart/mixed; boundary=\"BND \"\n\n--BND \n\none\n--BND --\nbehind",
            ["message 0 1", "text/plain mixed 0", "= one"]
        ),
        ("Content-Transfer-Encoding: BASE64 (as ever)\n\nQUJD", ["message 0 1", "text/plain  0", "= ABC"]),
    ]

    @Test("the body is found, wherever the bytes are cut", arguments: rows)
    func body(_ mail: String, _ events: [String]) throws {
        for pieces in [1, 3, 1_000] {
            #expect(try Recorder.events(of: Array(mail.utf8), pieces: pieces) == events)
        }
    }

    @Test("hostile headers without an end cost no more than their length")
    func hostile() {
        let data = String(repeating: "x-a: b\n\(Self.picture)\n", count: 900)
        let level = "--b\nContent-Type: multipart/mixed\nstray\n--c\nContent-Type: multipart/mixed\nstray\n\(data)"
        let head = "Content-Type: multipart/mixed; boundary=b\n\n"
        #expect(
            growsLinearly(to: 64, { Array((head + String(repeating: level, count: $0)).utf8) }) {
                _ = try? Recorder.events(of: $0)
            })
    }

    @Test("a line without an end behind a broken header is not gathered", .timeLimit(.minutes(5)))
    func longLine() throws {
        let limits = MailLimits()
        let mail =
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nA: b\nstray\nstray "
            + String(repeating: "x", count: 9 << 20)
        #expect(try Recorder.events(of: Array((mail + "\n--b\n\nwords\n--b--").utf8), limits: limits).last == "= words")
    }
}
