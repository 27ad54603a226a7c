import Testing

@testable import Mail

/// Notes what the parser finds.
final class Recorder: MIMEHandler {
    var events: [String] = []
    private var content: [UInt8] = []

    func message(_ header: HeaderBlock, nesting: Int) { events.append("message \(nesting) \(header.fields.count)") }
    func begin(_ part: MIMEPart) throws(MailError) {
        events.append("\(part.type) \(part.containers.joined(separator: "/")) \(part.nesting)")
        content = []
    }
    func content(_ bytes: UnsafeRawBufferPointer) throws(MailError) { content += bytes }
    func end(_: Arrival) throws(MailError) { events.append("= " + String(decoding: content, as: UTF8.self)) }
    func exceeded(_ limit: MIMELimit) { events.append("exceeded \(limit)") }

    static func events(of mail: [UInt8], pieces: Int = .max, limits: MailLimits = MailLimits()) throws -> [String] {
        let recorder = Recorder()
        var stream = MIMEStream(limits: limits, handler: recorder)
        var rest = mail[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
            try piece.lend { (bytes) throws(MailError) in try stream.take(bytes) }
        }
        try stream.finish()
        return recorder.events
    }
}

@Suite("Structure of a mail")
struct StructureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let mail: String
        let events: [String]
    }

    static let rows: [Row] = [
        Row(
            testDescription: "no MIME at all", mail: "A: b\n\nhello\n",
            events: ["message 0 1", "text/plain  0", "= hello\n"]),
        Row(
            testDescription: "two parts",
            mail: "Content-Type: multipart/mixed; boundary=b\n\npre\n--b\n\none\n--b\n\ntwo\n--b--\npost",
            events: ["message 0 1", "text/plain mixed 0", "= one", "text/plain mixed 0", "= two"]),
        Row(
            testDescription: "no closing boundary", mail: "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n",
            events: ["message 0 1", "text/plain mixed 0", "= one"]),
        Row(
            testDescription: "boundary text inside of a line, as a prefix, and with blanks behind",
            mail:
                "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx --b\n--bb\n--b--more\n --b\n--b \t\n\ntwo\n--b--",
            events: [
                "message 0 1", "text/plain mixed 0", "= x --b\n--bb\n--b--more\n --b", "text/plain mixed 0", "= two",
            ]),
        Row(
            testDescription: "the outer boundary ends inner parts",
            mail:
                "Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/related; boundary=i\n\n--i\n\none\n--o\n\ntwo",
            events: ["message 0 1", "text/plain mixed/related 0", "= one", "text/plain mixed 0", "= two"]),
        Row(
            testDescription: "an inner boundary that begins like the outer one",
            mail:
                "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/related; boundary=a--\n\n--a--\n\none\n--a----\n--a--\n",
            events: ["message 0 1", "text/plain mixed/related 0", "= one"]),
        Row(
            testDescription: "a multipart without a boundary takes the first line that looks like one",
            mail: "Content-Type: multipart/mixed\n\n--x1\n\none\n--x1\n\ntwo\n--x1--",
            events: ["message 0 1", "text/plain mixed 0", "= one", "text/plain mixed 0", "= two"]),
        Row(
            testDescription: "a part without an empty line",
            mail: "Content-Type: multipart/mixed; boundary=b\n\n--b\nhello there\n--b--",
            events: ["message 0 1", "text/plain mixed 0", "= hello there"]),
        Row(
            testDescription: "an empty part", mail: "Content-Type: multipart/mixed; boundary=b\n\n--b\n--b\n\n--b--",
            events: ["message 0 1", "text/plain mixed 0", "= ", "text/plain mixed 0", "= "]),
        Row(
            testDescription: "a message in a message", mail: "Content-Type: message/rfc822\n\nA: b\nC: d\n\ntext",
            events: ["message 0 1", "message 1 2", "text/plain  1", "= text"]),
        Row(
            testDescription: "a message in base64",
            mail: "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nQTogYg0KDQp0ZXh0",
            events: ["message 0 2", "message 1 1", "text/plain  1", "= text"]),
        Row(
            testDescription: "something else labelled as a message",
            mail: "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n/9j/4AAQ",
            events: ["message 0 2", "message/rfc822  0", "= \u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\0\u{10}"]),
        Row(
            testDescription: "the same without an encoding", mail: "Content-Type: message/rfc822\n\nno header here\n",
            events: ["message 0 1", "message/rfc822  0", "= no header here\n"]),
        Row(
            testDescription: "a digest",
            mail: "Content-Type: multipart/digest; boundary=b\n\n--b\n\nA: b\n\none\n--b--",
            events: ["message 0 1", "message 1 1", "text/plain digest 1", "= one"]),
        Row(
            testDescription: "of two types the multipart",
            mail: "Content-Type: text/plain\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b--",
            events: ["message 0 2", "text/plain mixed 0", "= one"]),
        Row(
            testDescription: "blank lines and an mbox line first", mail: "   \n\nFrom a Mon\nA: b\n\nx",
            events: ["message 0 1", "text/plain  0", "= x"]),
        Row(testDescription: "only a header", mail: "A: b", events: ["message 0 1", "text/plain  0", "= "]),
        Row(testDescription: "nothing", mail: "", events: ["message 0 0"]),
    ]

    @Test("the parser finds the parts, wherever the bytes are cut and whatever ends the lines", arguments: rows)
    func structure(_ row: Row) throws {
        for pieces in [1, 2, 3, 7, 1_000] {
            #expect(try Recorder.events(of: Array(row.mail.utf8), pieces: pieces) == row.events)
        }
        // As one character, CRLF is not matched by its parts.
        let crlf = Array(row.mail.utf8).flatMap { $0 == 10 ? [13, 10] : [$0] }
        let events = row.events.map {
            String(decoding: Array($0.utf8).flatMap { $0 == 10 ? [13, 10] : [$0] }, as: UTF8.self)
        }
        #expect(try Recorder.events(of: crlf, pieces: 5) == events)
    }

    @Test("every fixture reads the same in pieces of any length", arguments: FixtureTests.names)
    func pieces(_ name: String) throws {
        let mail = try Samples.bytes("\(FixtureTests.folder)/\(name).eml")
        let whole = try Recorder.events(of: mail)
        for pieces in [13, 500, 4_095, 4_096, 4_097] {
            #expect(try Recorder.events(of: mail, pieces: pieces) == whole)
        }
    }

    @Test("depth and number are bounded, and what is left out is said")
    func limits() throws {
        var limits = MailLimits()
        limits.multipartDepth = 2
        limits.messageDepth = 1
        limits.parts = 4
        let type = "Content-Type: multipart/mixed; boundary=b"
        let nested = (0..<3).map { "\(type)\($0)\n\n--b\($0)\n" }.joined() + "\nx"
        #expect(try Recorder.events(of: Array(nested.utf8), limits: limits).last == "exceeded multipartDepth")
        let messages = String(repeating: "Content-Type: message/rfc822\n\n", count: 3)
        #expect(try Recorder.events(of: Array(messages.utf8), limits: limits).last == "exceeded messageDepth")
        let parts = "\(type)\n\n" + String(repeating: "--b\n\nx\n", count: 9)
        let events = try Recorder.events(of: Array(parts.utf8), limits: limits)
        #expect(events.filter { $0 == "= x" }.count == 3)
        #expect(events.last == "exceeded parts")
    }

    @Test("a header over the limit is an error, in a part it costs that part")
    func headerLimits() throws {
        var limits = MailLimits()
        limits.fields = 3
        limits.headerBytes = 100
        for header in ["A: b\nA: b\nA: b\nA: b\n", "A: " + String(repeating: "x", count: 200) + "\n"] {
            #expect(throws: MailError.self) { try Recorder.events(of: Array((header + "\nx").utf8), limits: limits) }
            let mail = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\(header)\none\n--b\n\ntwo\n--b--"
            let events = try Recorder.events(of: Array(mail.utf8), limits: limits)
            #expect(events == ["message 0 1", "exceeded partHeader", "text/plain mixed 0", "= two"])
        }
    }
}
