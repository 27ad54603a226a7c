import FoundationEssentials
import Testing

@testable import Mail

@Suite("Transfer encodings")
struct DecoderTests {
    /// Decodes in pieces of the given length.
    private func decode(_ input: [UInt8], _ encoding: TransferDecoder.Encoding, pieces: Int) throws -> [UInt8] {
        var decoder = TransferDecoder()
        decoder.begin(encoding)
        var output: [UInt8] = []
        for start in stride(from: 0, to: input.count, by: pieces) {
            let piece = Array(input[start..<min(start + pieces, input.count)])
            try piece.lend { (bytes) throws(MailError) in
                try decoder.decode(bytes) { (decoded) throws(MailError) in output += decoded }
            }
        }
        try decoder.finish { (decoded) throws(MailError) in output += decoded }
        return output
    }

    @Test("base64 of any length comes back, however it is cut", arguments: [1, 2, 3, 5, 76, 78, 1_000])
    func base64(pieces: Int) throws {
        var random = SystemRandomNumberGenerator()
        for length in [0, 1, 2, 3, 4, 56, 57, 58, 999] {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            var text = Array(Data(bytes).base64EncodedString().utf8)
            for place in stride(from: 76, to: text.count, by: 78) { text.insert(contentsOf: [13, 10], at: place) }
            #expect(try decode(text, .base64, pieces: pieces) == bytes)
        }
    }

    @Test(
        "base64 is read as leniently as mails need it",
        arguments: [
            ("YQ==YmM=ZGVm", "abcdef"), ("YQ", "a"), ("YWI", "ab"), ("YWJjZ", "abc"), ("Y W\r\nJ\tj", "abc"),
            ("Y!W@J#j", "abc"), ("====YWJj", "abc"), ("Y=YmM", "bc"), ("", ""), ("\0YWJj\0", "abc"),
        ])
    func lenientBase64(text: String, expected: String) throws {
        for pieces in 1...4 {
            #expect(String(decoding: try decode(Array(text.utf8), .base64, pieces: pieces), as: UTF8.self) == expected)
        }
    }

    @Test(
        "quoted-printable drops soft breaks and blanks at line ends, and keeps what it does not know",
        arguments: [
            ("a=3Db", "a=b"), ("caf=C3=A9", "café"), ("caf=c3=a9", "café"), ("a=\r\nb", "ab"), ("a=\nb", "ab"),
            ("a= \t\r\nb", "ab"), ("a  \r\nb", "a\r\nb"), ("a  b", "a  b"), ("a=zz", "a=zz"), ("a=4", "a=4"),
            ("a=", "a"), ("a==41", "a=A"), ("a= b", "a= b"), ("a\t", "a"), ("=0D=0A=\r\n", "\r\n"),
        ])
    func quotedPrintable(text: String, expected: String) throws {
        for pieces in 1...5 {
            let bytes = try decode(Array(text.utf8), .quotedPrintable, pieces: pieces)
            #expect(String(decoding: bytes, as: UTF8.self) == expected)
        }
    }

    @Test("quoted-printable is the same however it is cut, with every kind of fault", arguments: 0..<12)
    func quotedPrintableCuts(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let alphabet = Array("=== \t\r\n\n\r\nabcdefghij0123456789ABCDEF.<é".utf8)
        var text = (0..<4_000).map { _ in alphabet.randomElement(using: &random) ?? 0 }
        // Runs of blanks that are longer than what is held back.
        text.insert(contentsOf: repeatElement(UInt8(ascii: " "), count: 2_345), at: 1_000)
        text.insert(contentsOf: Array("=".utf8) + repeatElement(UInt8(ascii: "\t"), count: 1_500), at: 500)
        let whole = try decode(text, .quotedPrintable, pieces: text.count)
        for pieces in [1, 2, 3, 7, 8, 9, 64, 97, 1_001] {
            #expect(try decode(text, .quotedPrintable, pieces: pieces) == whole, "\(pieces)")
        }
    }

    @Test(
        "an escape is decoded wherever it lies in a long line", arguments: [0, 1, 31, 32, 33, 61, 62, 63, 64, 65, 127])
    func quotedPrintablePlaces(_ place: Int) throws {
        let (before, after) = (String(repeating: "x", count: place), String(repeating: "y", count: 200))
        for (escape, meaning) in [
            ("=C3=A9", "é"), ("=\r\n", ""), ("= \r\n \r\n", "\r\n"), ("=\n \n", "\n"), ("=20 \r\n", " \r\n"),
            ("\t\r\n", "\r\n"), ("=\rz", "z"), ("=4\n", "=4\n"), ("==\r\n=3D", "=="), ("\0\u{0E}=7F", "\0\u{0E}\u{7F}"),
        ] {
            let bytes = Array((before + escape + after).utf8)
            for pieces in [1, bytes.count] {
                let text = String(decoding: try decode(bytes, .quotedPrintable, pieces: pieces), as: UTF8.self)
                #expect(text == before + meaning + after, "\(escape.debugDescription)")
            }
        }
    }

    @Test("a uuencoded body is decoded, however it is cut", arguments: [1, 4, 100])
    func uuencodedBody(pieces: Int) throws {
        let text = "words\nbegin 644 a.txt\n#86)C\n#9&5F\n`\nend\nwords"
        #expect(try decode(Array(text.utf8), .uuencode, pieces: pieces) == Array("abcdef".utf8))
    }

    @Test(
        "labels are read whatever their case",
        arguments: [
            ("Base64", TransferDecoder.Encoding.base64), (" base64;", .base64), ("QUOTED-PRINTABLE", .quotedPrintable),
            ("7bit", .identity), ("x-nonsense", .identity), ("", .identity),
        ])
    func labels(label: String, encoding: TransferDecoder.Encoding) {
        let header = HeaderBlock(block: Array("Content-Transfer-Encoding: \(label)".utf8))
        #expect(TransferDecoder.Encoding(header) == encoding)
    }

    @Test("lines of uuencode are decoded, other lines are not")
    func uuencode() {
        func decode(_ line: String) -> [UInt8]? { Array(line.utf8).withUnsafeBytes { UUDecoder.decode($0) } }
        #expect(decode("#86)C") == Array("abc".utf8))
        #expect(decode("\"86(") == Array("ab".utf8))  // Trailing blanks were cut.
        #expect(decode("`") == [])
        #expect(decode("hello, this is text") == nil)
        #expect(Array("begin 644 a b.gif".utf8).withUnsafeBytes { UUDecoder.nameOfBegin($0) } == Array("a b.gif".utf8))
        #expect(Array("begin with something".utf8).withUnsafeBytes { UUDecoder.nameOfBegin($0) } == nil)
    }
}
