import Testing

@testable import Mail

@Suite("Taking the dots off a mail")
struct DotDecoderTests {
    /// What comes out, and what was behind the end; in pieces of `size` bytes.
    private func decode(_ text: String, pieces size: Int) -> (text: String, rest: String?, isSmuggled: Bool) {
        var decoder = DotDecoder()
        var output: [UInt8] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = bytes[start..<min(start + size, bytes.count)]
            let used = piece.withUnsafeBytes { bytes in decoder.take(bytes) { output += $0 } }
            if let used {
                let rest = String(decoding: bytes[(start + used)...], as: UTF8.self)
                return (String(decoding: output, as: UTF8.self), rest, decoder.isSmuggled)
            }
        }
        return (String(decoding: output, as: UTF8.self), nil, decoder.isSmuggled)
    }

    @Test("the text is the same however it is cut", arguments: 1...9)
    func pieces(_ size: Int) {
        let whole = decode("a\r\n..b\r\n.c\r\nd.\r\n..\r\n.\r\nQUIT\r\n", pieces: size)
        #expect(whole == ("a\r\n.b\r\nc\r\nd.\r\n.\r\n", "QUIT\r\n", false))
        #expect(decode(".\r\n", pieces: size) == ("", "", false))
        #expect(decode("a\r\n.\r", pieces: size).rest == nil)
        let bare = decode("a\n.\r\nb\r\n.\rc\r\n.\r\n", pieces: size)
        #expect(bare == ("a\n.\r\nb\r\n\rc\r\n", "", true))
        #expect(decode("a\n.b\r\r\n\r.c\n\r\n.\r\n", pieces: size) == ("a\n.b\r\r\n\r.c\n\r\n", "", false))
    }
}
