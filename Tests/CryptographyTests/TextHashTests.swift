import Testing

@testable import Cryptography

@Suite("The digest of a text")
struct TextHashTests {
    private func digest(_ text: String, pieces: Int = .max) -> [UInt8] {
        var hash = TextHash()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            hash.update(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        return hash.finish()
    }

    static let lineEnds = ["\r\n", "\n", "\r"]

    @Test(
        "is SHA-256 of the text with CRLF, whatever its lines end with and how it is cut",
        arguments: [1, 2, 3, 5, .max])
    func forms(_ pieces: Int) {
        let lines = ["", "", "a", "", "a longer line", "ä", "", "", "", "z"]
        let expected = SHA256.hash(lines.joined(separator: "\r\n") + "\r\n")
        for form in Self.lineEnds {
            for end in ["", form, form + form + form] {
                #expect(digest(lines.joined(separator: form) + end, pieces: pieces) == expected)
            }
        }
        #expect(digest("\n\r\na\r\n\n" + "a longer line\rä\r\r\r\n\nz\n\r", pieces: pieces) == expected)
    }

    @Test(
        "of a text without a byte is that of nothing, and so is that of blank lines",
        arguments: ["", "\n", "\r\n\r", "\n\n\n"])
    func blank(_ text: String) {
        #expect(digest(text) == SHA256.hash([]))
    }

    @Test("tells texts apart that differ in more")
    func differences() {
        let texts = ["a\nb", "a\n\nb", "ab", "a b", "\na\nb", "a\nb ", "a\nb\n "]
        #expect(Set(texts.map { digest($0) }).count == texts.count)
        #expect(digest("\na") == SHA256.hash("\r\na\r\n"))
    }

    @Test("of a long text in any form", arguments: lineEnds)
    func long(_ form: String) {
        let lines = (0..<5_000).map { String(repeating: "x", count: $0 % 80) }
        let expected = SHA256.hash(lines.joined(separator: "\r\n") + "\r\n")
        #expect(digest(lines.joined(separator: form)) == expected)
        #expect(digest(lines.joined(separator: form), pieces: 4_097) == expected)
        let blank = String(repeating: form, count: 40_000)
        #expect(digest("a" + blank + "b") == SHA256.hash("a" + String(repeating: "\r\n", count: 40_000) + "b\r\n"))
    }

    @Test("begins anew after the last byte")
    func again() {
        var hash = TextHash()
        hash.update(Array("a\r".utf8))
        _ = hash.finish()
        hash.update(Array("\nb".utf8))
        #expect(hash.finish() == SHA256.hash("\r\nb\r\n"))
    }
}
