@testable import Media

/// Puts metadata into pictures, as cameras and phones do.
enum Crafting {
    /// An EXIF structure with an orientation and, if wanted, a place (big-endian TIFF).
    static func exif(orientation: UInt8, gps: Bool = true) -> [UInt8] {
        var tiff: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, gps ? 2 : 1]
        tiff += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        guard gps else { return tiff + [0, 0, 0, 0] }
        tiff += [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0]
        // One entry: GPSAreaInformation, as text that can be looked for.
        let place = Array("48.1372N 11.5755E at home".utf8)
        tiff += [0, 1, 0, 0x1C, 0, 7, 0, 0, 0, UInt8(place.count), 0, 0, 0, 56, 0, 0, 0, 0]
        return tiff + place
    }

    /// Puts segments behind the JFIF header of a JPEG.
    static func jpeg(_ file: [UInt8], adding segments: [[UInt8]]) -> [UInt8] {
        Array(file.prefix(20)) + segments.joined() + file.dropFirst(20)
    }

    static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let length = payload.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
    }

    static func exifSegment(_ orientation: UInt8) -> [UInt8] {
        segment(0xE1, Array("Exif\0\0".utf8) + exif(orientation: orientation))
    }

    /// Puts a chunk behind the header of a PNG.
    static func png(_ file: [UInt8], adding type: String, _ payload: [UInt8]) -> [UInt8] {
        Array(file.prefix(33)) + chunk(type, payload) + file.dropFirst(33)
    }

    static func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + payload
        return UInt32(payload.count).bigEndianBytes + body + Checksum.crc32(body[...]).bigEndianBytes
    }

    /// Gives a simple WebP file the extended header and more chunks at its end.
    static func webP(_ file: [UInt8], width: Int, height: Int, flags: UInt8, adding chunks: [[UInt8]]) -> [UInt8] {
        let size = UInt32(width - 1).littleEndianBytes.prefix(3) + UInt32(height - 1).littleEndianBytes.prefix(3)
        let header = riffChunk("VP8X", [flags, 0, 0, 0] + size)
        let body = Array("WEBP".utf8) + header + file.dropFirst(12) + chunks.joined()
        return Array("RIFF".utf8) + UInt32(body.count).littleEndianBytes + body
    }

    static func riffChunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        Array(type.utf8) + UInt32(payload.count).littleEndianBytes + payload
            + (payload.count.isMultiple(of: 2) ? [] : [0])
    }

    /// A minimal, valid RGB profile of so many bytes.
    static func profile(_ length: Int = 400) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: length)
        bytes.replaceSubrange(0..<4, with: UInt32(length).bigEndianBytes)
        bytes.replaceSubrange(12..<20, with: Array("mntrRGB ".utf8))
        bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
        return bytes
    }

    /// A profile of four inks whose table gives one colour for all of them: L* of 50, no hue (ICC.1:2010, section 10.8).
    static func inkProfile() -> [UInt8] {
        var table = Array("mft1".utf8) + [0, 0, 0, 0, 4, 3, 2, 0]  // four channels in, three out, two points each
        for value in [1, 0, 0, 0, 1, 0, 0, 0, 1] { table += UInt32(value << 16).bigEndianBytes }
        for _ in 0..<4 { table += (0...255).map { UInt8($0) } }
        for _ in 0..<16 { table += [128, 128, 128] }
        for _ in 0..<3 { table += (0...255).map { UInt8($0) } }
        let white = Array("XYZ ".utf8) + [0, 0, 0, 0] + [63_190, 65_536, 54_061].flatMap { UInt32($0).bigEndianBytes }
        let tags: [(String, [UInt8])] = [("wtpt", white), ("A2B0", table), ("A2B1", table)]
        var (directory, data) = (UInt32(tags.count).bigEndianBytes, [UInt8]())
        for (name, content) in tags {
            let place = 128 + 4 + 12 * tags.count + data.count
            directory += Array(name.utf8) + UInt32(place).bigEndianBytes + UInt32(content.count).bigEndianBytes
            data += content + [UInt8](repeating: 0, count: -content.count & 3)
        }
        var header = UInt32(128 + directory.count + data.count).bigEndianBytes + [0, 0, 0, 0, 2, 0x40, 0, 0]
        header += Array("prtrCMYKLab ".utf8) + [7, 0xEA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
        header += [UInt8](repeating: 0, count: 28) + [63_190, 65_536, 54_061].flatMap { UInt32($0).bigEndianBytes }
        return header + [UInt8](repeating: 0, count: 128 - header.count) + directory + data
    }
}
