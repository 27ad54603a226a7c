/// What Pillow would say about a picture, from its markers alone: no pixels are decoded.
struct PictureHeader {
    let width: Int
    let height: Int
    /// Pillow opens it, but fails on the pixels.
    let isTruncated: Bool

    /// The pixels beyond which Pillow refuses a picture as a bomb.
    private static let pixelLimit = 178_956_970

    /// Throws nothing: nil means "Upload a valid image".
    init?(_ bytes: [UInt8]) {
        let shape = Self.jpeg(bytes) ?? Self.png(bytes) ?? Self.gif(bytes) ?? Self.webp(bytes) ?? Self.bmp(bytes)
        guard let (width, height, isTruncated) = shape, width > 0, height > 0, width * height <= Self.pixelLimit
        else { return nil }
        self.width = width
        self.height = height
        self.isTruncated = isTruncated
    }

    private typealias Shape = (Int, Int, Bool)

    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int, big: Bool = true) -> Int {
        let field = bytes[offset..<(offset + count)]
        return (big ? Array(field) : field.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    private static func jpeg(_ bytes: [UInt8]) -> Shape? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var index = 2
        var size: (Int, Int)?
        while index + 4 <= bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            let length = number(bytes, index + 2, 2)
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame, index + 9 <= bytes.count {
                size = (number(bytes, index + 7, 2), number(bytes, index + 5, 2))
            }
            if marker == 0xDA {
                let hasEnd = zip(bytes[index...], bytes[(index + 1)...]).contains { $0 == 0xFF && $1 == 0xD9 }
                return size.map { ($0.0, $0.1, !hasEnd) }
            }
            index += 2 + max(length, 2)
        }
        return nil
    }

    private static func png(_ bytes: [UInt8]) -> Shape? {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        guard bytes.starts(with: signature), bytes.count >= 33 else { return nil }
        let hasEnd = bytes.suffix(64).split(separator: UInt8(ascii: "I")).contains {
            $0.starts(with: Array("END".utf8))
        }
        return (number(bytes, 16, 4), number(bytes, 20, 4), !hasEnd)
    }

    private static func gif(_ bytes: [UInt8]) -> Shape? {
        guard bytes.starts(with: Array("GIF8".utf8)), bytes.count >= 13 else { return nil }
        return (number(bytes, 6, 2, big: false), number(bytes, 8, 2, big: false), bytes.last != 0x3B)
    }

    private static func webp(_ bytes: [UInt8]) -> Shape? {
        guard bytes.count >= 30, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8) else {
            return nil
        }
        let isTruncated = number(bytes, 4, 4, big: false) + 8 > bytes.count
        switch bytes[15] {
        case UInt8(ascii: "X"):
            return (number(bytes, 24, 3, big: false) + 1, number(bytes, 27, 3, big: false) + 1, isTruncated)
        case UInt8(ascii: "L"):
            let bits = number(bytes, 21, 4, big: false)
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1, isTruncated)
        default:
            let width = number(bytes, 26, 2, big: false) & 0x3FFF
            return (width, number(bytes, 28, 2, big: false) & 0x3FFF, isTruncated)
        }
    }

    private static func bmp(_ bytes: [UInt8]) -> Shape? {
        guard bytes.starts(with: Array("BM".utf8)), bytes.count >= 26 else { return nil }
        return (number(bytes, 18, 4, big: false), number(bytes, 22, 4, big: false), false)
    }
}
