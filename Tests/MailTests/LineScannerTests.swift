import Testing

@testable import Mail

@Suite("Lines of a mail")
struct LineScannerTests {
    /// The lines that come out, fragments and joined ones as they come.
    private func lines(_ text: String, isJoining: Bool, pieces: Int = .max) throws -> [String] {
        var scanner = LineScanner()
        var lines: [String] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            try Array(bytes.prefix(pieces)).lend { (piece) throws(MailError) in
                var rest = piece
                while let line = scanner.next(from: &rest, isJoining: isJoining) {
                    lines.append(String(decoding: line.bytes, as: UTF8.self))
                }
            }
            bytes = bytes.dropFirst(pieces)
        }
        if let line = scanner.last() { lines.append(String(decoding: line.bytes, as: UTF8.self)) }
        return lines
    }

    @Test(
        "lines of a body are joined up to the next that may be a boundary",
        arguments: [
            ("a\nb\n--c\nd\n", ["a\nb\n", "--c\n", "d\n"]), ("a\n-b\nc--\n", ["a\n-b\nc--\n"]),
            ("a\r\nb", ["a\r\n", "b"]), ("a\n-", ["a\n", "-"]), ("--a\n--b\n", ["--a\n", "--b\n"]), ("\n\n", ["\n\n"]),
            ("", []),
        ])
    func joined(text: String, expected: [String]) throws {
        #expect(try lines(text, isJoining: true) == expected)
    }

    @Test("a boundary begins a line of its own, however the mail is cut", arguments: 1...16)
    func cuts(_ pieces: Int) throws {
        let text = "--b\na-b--\n-\n--\n\r\n-- \n-c\nd--e\n--b--\nf-"
        let hyphens = { (lines: [String]) in lines.filter { $0.hasPrefix("--") } }
        let joined = try lines(text, isJoining: true, pieces: pieces)
        #expect(joined.joined() == text)
        #expect(hyphens(joined) == hyphens(try lines(text, isJoining: false)))
    }
}
