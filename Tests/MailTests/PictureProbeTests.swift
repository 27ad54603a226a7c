import PinpostCore
import Testing

@testable import Mail

@Suite("What a picture's bytes tell")
struct PictureProbeTests {
    private func probe(_ bytes: [UInt8], pieces: Int = .max) throws -> PictureProbe {
        var probe = PictureProbe(try #require(PictureType.sniff(bytes)))
        var rest = bytes[...]
        while !rest.isEmpty {
            Array(rest.prefix(pieces)).lend { probe.take($0) }
            rest = rest.dropFirst(pieces)
        }
        return probe
    }

    /// A box of ISO/IEC 14496-12.
    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 8
        return [0, 0, UInt8(length >> 8), UInt8(length & 255)] + Array(type.utf8) + content
    }

    private static let heic: [UInt8] = {
        let size = box("ispe", [0, 0, 0, 0, 0, 0, 15, 160, 0, 0, 11, 184])
        let tile = box("ispe", [0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0])
        return box("ftyp", Array("heic\0\0\0\0heicmif1".utf8)) + box("meta", [0, 0, 0, 0] + size + tile)
            + box("mdat", [1, 2, 3])
    }()

    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE1, 0, 6, 0xFF, 0xD9, 0, 0, 0xFF, 0xC2, 0, 11, 8, 1, 2, 3, 4, 1, 1, 0x11, 0]
        + [0xFF, 0xDA, 0, 3, 0, 0x12, 0xFF, 0, 0xFF, 0xD0, 0x34, 0xFF, 0xFF, 0xD9, 9, 9]
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 1, 0, 0, 0, 0, 200, 8, 2, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 2] + Array("IDAT".utf8)
        + [7, 7, 1, 2, 3, 4, 0, 0, 0, 0] + Array("IEND".utf8) + [1, 2, 3, 4]
    private static let gif: [UInt8] =
        Array("GIF89a".utf8) + [40, 0, 30, 0, 0x80, 0, 0, 1, 1, 1, 2, 2, 2, 0x21, 0xF9, 4, 1, 2, 3, 4, 0]
        + [0x2C, 0, 0, 0, 0, 40, 0, 30, 0, 0, 2, 3, 1, 2, 3, 0, 0x3B]
    private static let webp: [UInt8] =
        Array("RIFF".utf8) + [24, 0, 0, 0] + Array("WEBPVP8X".utf8) + [
            10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0, 0, 0,
        ]
    private static let bmp: [UInt8] =
        Array("BM".utf8) + [
            0, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 3, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 1, 0, 24, 0,
        ]
        + [UInt8](repeating: 0, count: 24) + [UInt8](repeating: 1, count: 24)

    private static let ico: [UInt8] =
        [0, 0, 1, 0, 2, 0] + [16, 32, 0, 0, 1, 0, 32, 0, 4, 0, 0, 0, 38, 0, 0, 0]
        + [0, 0, 0, 0, 1, 0, 32, 0, 6, 0, 0, 0, 42, 0, 0, 0] + [UInt8](repeating: 1, count: 10)

    static let pictures: [(name: String, bytes: [UInt8], width: Int, height: Int, needed: Int)] = [
        ("jpeg", jpeg, 772, 258, jpeg.count - 2), ("png", png, 256, 200, png.count),
        ("gif", gif, 40, 30, gif.count),
        ("webp", webp, 100, 50, webp.count - 1), ("bmp", bmp, 3, 2, bmp.count),
        ("heic", heic, 4_000, 3_000, heic.count), ("ico", ico, 16, 32, ico.count),
    ]

    @Test("size and completeness are read, wherever the bytes are cut", arguments: pictures.map(\.name))
    func formats(_ name: String) throws {
        let picture = try #require(Self.pictures.first { $0.name == name })
        for pieces in [1, 3, 1_000] {
            let probe = try probe(picture.bytes, pieces: pieces)
            #expect(probe.size == PictureSize(width: picture.width, height: picture.height))
            #expect(probe.isComplete == true)
        }
    }

    @Test("a picture that is cut anywhere before its end is not complete", arguments: pictures.map(\.name))
    func prefixes(_ name: String) throws {
        let picture = try #require(Self.pictures.first { $0.name == name })
        // Before that nothing is recognised, or only the first box is there.
        let start = name == "heic" ? 40 : min(34, picture.needed)
        for length in start..<picture.needed where length < picture.bytes.count {
            #expect(try probe(Array(picture.bytes.prefix(length))).isComplete == false)
        }
        #expect(try probe(Array(picture.bytes.prefix(picture.needed))).isComplete == true)
    }

    @Test("broken pictures trap nothing", arguments: pictures.map(\.name))
    func flips(_ name: String) throws {
        let picture = try #require(Self.pictures.first { $0.name == name })
        let type = try #require(PictureType.sniff(picture.bytes))
        var random = SplitMix(seed: 7)
        for _ in 0..<3_000 {
            var bytes = picture.bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            var probe = PictureProbe(type)
            bytes.lend { probe.take($0) }
            bytes.lend { probe.take($0) }
            if let size = probe.size { #expect(size.width >= 0 && size.height >= 0) }
        }
    }
}

/// Numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
