public import PinpostCore

/// Small real pictures, each different from the others.
public enum TestPicture {
    /// A PNG that every decoder takes: 8-bit RGB, one colour per `seed`.
    public static func png(seed: Int, width: Int = 8, height: Int = 8) -> [UInt8] {
        let colour = [
            UInt8(truncatingIfNeeded: seed), UInt8(truncatingIfNeeded: seed >> 8),
            UInt8(truncatingIfNeeded: seed >> 16),
        ]
        let row: [UInt8] = [0] + Array([[UInt8]](repeating: colour, count: width).joined())
        return png(Array([[UInt8]](repeating: row, count: height).joined()), width: width, height: height)
    }

    /// A PNG that no encoder makes smaller: about `3 * width * height` bytes.
    public static func noise(seed: Int, width: Int, height: Int) -> [UInt8] {
        var state = UInt32(truncatingIfNeeded: seed)
        var pixels: [UInt8] = []
        for _ in 0..<height {
            pixels.append(0)
            for _ in 0..<3 * width {
                state = state &* 1_664_525 &+ 1_013_904_223
                pixels.append(UInt8(state >> 24))
            }
        }
        return png(pixels, width: width, height: height)
    }

    /// Rows of RGB, each with its filter byte in front.
    private static func png(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
        let header = word(width) + word(height) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", stored(pixels)) + chunk("IEND", [])
    }

    /// The markers of a JPEG of this size, without pixels worth looking at: for what reads headers only.
    public static func jpegMarkers(width: Int, height: Int, comment: String = "") -> [UInt8] {
        let text = Array(comment.utf8)
        let size = [height >> 8, height, width >> 8, width].map { UInt8(truncatingIfNeeded: $0) }
        return [0xFF, 0xD8, 0xFF, 0xFE] + short(text.count + 2) + text
            + [0xFF, 0xC0, 0, 11, 8] + size + [1, 1, 0x11, 0]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0, 0x55, 0xFF, 0xD9]
    }

    /// As the delivery hands it to Pinry, without a store behind it.
    public static func prepared(seed: Int) -> PreparedPicture {
        let bytes = png(seed: seed)
        return PreparedPicture(bytes: StoredBytes(place: .inline(bytes), count: bytes.count, sha256: []), type: .png)
    }

    private static func short(_ value: Int) -> [UInt8] { Array(word(value).suffix(2)) }

    private static func word(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return word(data.count) + body + word(Int(crc32(body)))
    }

    /// A zlib stream of uncompressed blocks (RFC 1950, RFC 1951 section 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let count = block.count
            let sizes = [count, count >> 8, ~count, ~count >> 8].map { UInt8(truncatingIfNeeded: $0) }
            stream += [rest.isEmpty ? 1 : 0] + sizes + block
        } while !rest.isEmpty
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + word(high << 16 | low)
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
