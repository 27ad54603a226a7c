import PinpostCore
import Testing

@Suite("Picture type by magic")
struct PictureTypeTests {
    private static func bytes(_ text: String, at offset: Int = 0) -> [UInt8] {
        [UInt8](repeating: 0, count: offset) + Array(text.utf8)
    }

    private static func ftyp(_ major: String, _ compatible: [String]) -> [UInt8] {
        let size = UInt8(16 + 4 * compatible.count)
        return [0, 0, 0, size] + Array("ftyp\(major)".utf8) + [0, 0, 0, 0] + Array(compatible.joined().utf8)
    }

    @Test(
        "each format is known by its first bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], PictureType.jpeg),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], .png),
            (bytes("GIF89a"), .gif), (bytes("GIF87a"), .gif),
            (bytes("RIFF") + [9, 0, 0, 0] + bytes("WEBPVP8L"), .webp),
            (ftyp("heic", ["mif1", "heic"]), .heic), (ftyp("mif1", ["mif1", "heic"]), .heic),
            (ftyp("avif", ["mif1", "miaf"]), .avif), (ftyp("mif1", ["avif"]), .avif),
            (ftyp("heix", ["SHIF"]), .heic),
            ([0, 0, 1, 0] + bytes("ftypheic") + [0, 0, 0, 0], .heic),
            (bytes("BM") + [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0], .bmp),
            ([0x49, 0x49, 0x2A, 0], .tiff), ([0x4D, 0x4D, 0, 0x2A], .tiff), ([0, 0, 1, 0, 1, 0], .ico),
            ([0xFF, 0x0A], .jxl), (bytes("8BPS"), .psd), (bytes("  <svg xmlns="), .svg),
            (bytes("<?xml version=\"1.0\"?>\n<svg>"), .svg), (bytes("<?XML?><!-- --><SVG"), .svg),
        ] as [([UInt8], PictureType)])
    func known(bytes: [UInt8], type: PictureType) {
        #expect(PictureType.sniff(bytes) == type)
    }

    @Test(
        "what is no picture is none, however short",
        arguments: [
            [], [0xFF], [0xFF, 0xD8], bytes("BM"), bytes("%PDF-1.7"), bytes("RIFF1234WAVEfmt "), bytes("<html>"),
            bytes("BMW is a car maker, not a bitmap"), ftyp("isom", ["mp41"]), ftyp("qt  ", []), bytes("ftyp", at: 4),
            [0, 0, 0, 9] + bytes("ftyphei"),
        ] as [[UInt8]])
    func unknown(bytes: [UInt8]) {
        #expect(PictureType.sniff(bytes) == nil)
    }
}

@Suite("Base32")
struct Base32Tests {
    @Test(
        "vectors of RFC 4648 section 10, in lower case and without padding",
        arguments: [
            ("", ""), ("f", "my"), ("fo", "mzxq"), ("foo", "mzxw6"), ("foob", "mzxw6yq"), ("fooba", "mzxw6ytb"),
            ("foobar", "mzxw6ytboi"),
        ])
    func vectors(plain: String, text: String) {
        #expect(Base32.encode(Array(plain.utf8)) == text)
        #expect(Base32.decode(text) == Array(plain.utf8))
        #expect(Base32.decode(text.uppercased()) == Array(plain.utf8))
    }

    @Test("characters outside the alphabet and loose bits are refused", arguments: ["m", "mz1", "mzx=", "mb", "µy"])
    func refused(text: String) {
        #expect(Base32.decode(text) == nil)
    }

    @Test("an identifier is 26 characters and never the same")
    func identifiers() {
        var random = SystemRandomNumberGenerator()
        let ids = (0..<1_000).map { _ in Item.ID.random(using: &random).rawValue }
        #expect(Set(ids).count == 1_000)
        #expect(ids.allSatisfy { $0.utf8.count == 26 })
    }
}
