import PinpostCore
import Testing

@testable import Mail

/// One element of DER, or of BER with an indefinite length.
private func element(_ tag: UInt8, _ content: [UInt8], isIndefinite: Bool = false) -> [UInt8] {
    if isIndefinite { return [tag, 0x80] + content + [0, 0] }
    let count = content.count
    let length: [UInt8] =
        count < 128
        ? [UInt8(count)] : [0x83, UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)]
    return [tag] + length + content
}

@Suite("Signed mails in one piece")
struct SignedContentTests {
    private static func object(_ last: UInt8) -> [UInt8] {
        element(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, last])
    }

    /// `octets` is the element that holds the content.
    private static func signed(_ octets: [UInt8], isIndefinite: Bool = false) -> [UInt8] {
        func wrap(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { element(tag, content, isIndefinite: isIndefinite) }
        let algorithms = element(0x31, element(0x30, element(0x06, [0x60, 0x86, 0x48, 0x01, 0x65, 3, 4, 2, 1])))
        let content = wrap(0x30, object(1) + wrap(0xA0, octets))
        let certificates = element(0xA0, [UInt8](repeating: 0x04, count: 300))
        let data = wrap(0x30, element(0x02, [1]) + algorithms + content + certificates + element(0x31, [0x30, 0]))
        return wrap(0x30, object(2) + wrap(0xA0, data))
    }

    private static func pieces(_ content: [UInt8]) -> [UInt8] {
        stride(from: 0, to: content.count, by: 7).flatMap { element(0x04, Array(content[$0...].prefix(7))) }
    }

    private static let inner = Array(
        """
        Content-Type: multipart/mixed; boundary=i

        --i

        The words https://a.b/signed
        --i
        Content-Type: message/rfc822

        Subject: other

        https://a.b/inside
        --i--

        """.utf8)

    static let forms: [(name: String, bytes: [UInt8])] = [
        ("DER", signed(element(0x04, inner))),
        ("BER in pieces", signed(element(0x24, pieces(inner), isIndefinite: true), isIndefinite: true)),
        ("pieces of a stated length", signed(element(0x24, pieces(inner)))),
        (
            "pieces inside of pieces",
            signed(
                element(0x24, element(0x24, pieces(inner), isIndefinite: true), isIndefinite: true),
                isIndefinite: true)
        ),
    ]

    private func mail(_ content: [UInt8], type: String = "application/pkcs7-mime; smime-type=signed-data") -> [UInt8] {
        let head = "Subject: Signed\nContent-Type: \(type)\nContent-Transfer-Encoding: base64\n\n"
        return Array(head.utf8) + base64(content)
    }

    @Test("what is signed is read as the mail's own content, wherever the bytes are cut", arguments: forms)
    func content(_ name: String, _ bytes: [UInt8]) throws {
        for piece in [1, 5, 4_096] {
            let reader = SlowReader(mail(bytes), piece: piece)
            let content = try MailReader().read(reader, into: MeasuringBlobStore())
            #expect(content.subject == "Signed")
            #expect(content.itemLinks == ["https://a.b/signed"])
            #expect(content.skipped.isEmpty)
        }
    }

    @Test("the name tells as well")
    func name() throws {
        let type = "application/octet-stream; name=\"smime.p7m\""
        #expect(try read(mail(Self.forms[0].bytes, type: type)).itemLinks == ["https://a.b/signed"])
    }

    @Test("signatures inside of signatures end somewhere")
    func nested() throws {
        var bytes = Self.forms[0].bytes
        for _ in 0..<20 {
            let head = Array("Content-Type: application/pkcs7-mime\n\n".utf8)
            bytes = Self.signed(element(0x04, head + bytes))
        }
        let content = try read(mail(bytes))
        #expect(content.items.isEmpty)
        #expect(content.skipped.count == 1)
    }

    @Test("millions of tiny pieces are not looked at to their end")
    func scattered() throws {
        var (content, _) = try #require(
            SignedContent.begin(in: Self.signed([0x24, 0x80, 0x04, 1, 65], isIndefinite: true)))
        var count = 0
        let pieces = [[UInt8]](repeating: [0x04, 1, 65], count: 300_000).flatMap(\.self)
        try pieces.lend { (bytes) throws(MailError) in
            try content.take(bytes) { (piece) throws(MailError) in count += piece.count }
        }
        #expect((100_000...200_000).contains(count) && !content.isWhole)
    }

    @Test(
        "what is no piece, and nothing that comes behind all pieces, leaves the content cut",
        arguments: [[0x05, 0], [0x04, 0x80], [0x04, 0x89], [0x1F, 1]] as [[UInt8]])
    func malformed(_ junk: [UInt8]) throws {
        var (content, _) = try #require(
            SignedContent.begin(in: Self.signed([0x24, 0x80, 0x04, 1, 65], isIndefinite: true)))
        let pieces = [0x04, 1, 65] + junk + [UInt8](repeating: 0x31, count: 20)
        try pieces.lend { (bytes) throws(MailError) in
            try content.take(bytes) { (_) throws(MailError) in }
        }
        #expect(!content.isWhole)
    }

    @Test(
        "what is encrypted stays closed and says so, whatever type it is said to have",
        arguments: ["application/pkcs7-mime; smime-type=enveloped-data", "application/octet-stream; name=smime.p7m"])
    func encrypted(type: String) throws {
        let enveloped = element(0x30, Self.object(3) + element(0xA0, element(0x30, element(0x02, [0]))))
        let content = try read(mail(enveloped, type: type))
        #expect(content.items.isEmpty)
        #expect(content.skipped.map(\.reason) == ["encrypted or unreadable S/MIME; send it unencrypted"])
        #expect(content.skipped.map(\.isLoss) == [true])
    }

    @Test("certificates alone are no loss")
    func certificates() throws {
        let content = try read(
            mail(element(0x30, Self.object(2)), type: "application/pkcs7-mime; smime-type=certs-only"))
        #expect(content.skipped.map(\.isLoss) == [nil])
    }

    @Test("broken structures trap nothing", arguments: forms)
    func broken(_ name: String, _ bytes: [UInt8]) throws {
        var random = SplitMix(seed: 11)
        for length in stride(from: 0, to: bytes.count, by: 5) { _ = try read(mail(Array(bytes.prefix(length)))) }
        for _ in 0..<500 {
            var changed = bytes
            for _ in 0..<3 {
                changed[Int.random(in: 0..<min(90, bytes.count), using: &random)] = UInt8.random(
                    in: .min ... .max, using: &random)
            }
            _ = try read(mail(changed))
        }
    }
}
