import PinpostCore

/// The size that the first bytes of a picture tell; no pixel is decoded.
enum PictureHeader {
    /// Width and height as stored; nil where the format, or a broken file, does not tell.
    static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
        switch PictureType.sniff(Array(bytes.prefix(PictureType.prefixLength))) {
        case .png: bytes.count >= 24 ? (big(bytes, 16, 4), big(bytes, 20, 4)) : nil
        case .gif: bytes.count >= 10 ? (little(bytes, 6, 2), little(bytes, 8, 2)) : nil
        case .jpeg: jpeg(bytes)
        case .webp: webp(bytes)
        default: nil
        }
    }

    private static func big(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func little(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The first frame header (ITU-T T.81, annex B).
    private static func jpeg(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var position = 2
        while position + 9 < bytes.count {
            guard bytes[position] == 0xFF else { return nil }
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
            } else if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return (big(bytes, position + 7, 2), big(bytes, position + 5, 2))
            } else {
                position += 2 + max(big(bytes, position + 2, 2), 2)
            }
        }
        return nil
    }

    private static func webp(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 30 else { return nil }
        switch bytes[12..<16] {
        case let kind where kind.elementsEqual("VP8X".utf8): return (little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1)
        case let kind where kind.elementsEqual("VP8 ".utf8):
            return (little(bytes, 26, 2) & 0x3FFF, little(bytes, 28, 2) & 0x3FFF)
        case let kind where kind.elementsEqual("VP8L".utf8):
            let bits = little(bytes, 21, 4)
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        default: return nil
        }
    }
}
