import DecoderProtocol
import PinpostCore

@testable import Media

/// The container reader and its gate.
enum HEIFTarget {
    static func run(_ bytes: [UInt8]) {
        for type in [PictureType.heic, .avif] {
            guard let file = try? HEIFFile(PictureSource(bytes[...]), type: type) else { continue }
            precondition(file.source.count == bytes.count, "a repair changed the size")
            guard case .tiles(let plan) = file.route else { continue }
            precondition(plan.rows * plan.columns == plan.tiles.count, "the grid has a hole")
            for tile in plan.tiles {
                precondition(tile.offset >= 0 && tile.length >= 0 && tile.offset + tile.length <= bytes.count)
            }
        }
    }
}

/// The gates of the formats that Pinry does not show, and the search for a JPEG in a RAW file.
enum ForeignTarget {
    static func run(_ bytes: [UInt8]) {
        let limits = PictureLimits()
        for type in [PictureType.tiff, .bmp, .jxl] {
            guard let file = try? ForeignFile(bytes[...], type, limits) else { continue }
            precondition(file.size.width > 0 && file.size.height > 0)
            precondition(file.size.width * file.size.height <= limits.wholePixels)
        }
        if let icon = try? IconFile(bytes[...], limits: limits) { precondition(icon.picture.count <= bytes.count) }
        if let (preview, _) = try? RawFile.preview(bytes[...], limits: limits) {
            precondition(preview.width > 0 && preview.height > 0)
        }
    }
}

/// What stands in front of every decoder, for a file of any kind.
enum PictureTarget {
    static func run(_ bytes: [UInt8]) {
        _ = PictureReport(bytes)
        guard case .plain(let clean, _)? = try? Survey(PictureSource(bytes[...]), PictureLimits()) else { return }
        precondition(PictureType.sniff(Array(clean.bytes.prefix(PictureType.prefixLength))) == clean.type)
    }
}

/// The surgery on segments, chunks and blocks.
enum CleanerTarget {
    /// Cleans a file, and then what came out: that must be clean, and stay as it is.
    static func run(_ type: PictureType, _ bytes: [UInt8]) {
        guard let cleaner = type.cleaner else { return }
        for profile in [[], [profile(for: type)]] {
            guard let clean = try? cleaner.clean(bytes[...], adding: profile, limits: PictureLimits()) else { continue }
            let output = clean.bytes
            precondition(clean.count == output.count && clean.width > 0 && clean.height > 0)
            precondition(output.count <= bytes.count + profile.joined().count + overhead, "it grew")
            guard let again = try? cleaner.clean(output[...], adding: [], limits: PictureLimits()) else {
                preconditionFailure("what was cleaned is no \(type) any more")
            }
            precondition(again.bytes == output && again.removed.isEmpty, "cleaning twice differs: \(again.removed)")
            precondition((again.width, again.height) == (clean.width, clean.height))
            precondition(again.isAnimated == clean.isAnimated && again.orientation == .up)
        }
    }

    /// New headers and forgotten padding.
    private static let overhead = 64

    /// Any piece of that kind: what it says is for the decoder of the browser.
    private static func profile(for type: PictureType) -> ArraySlice<UInt8> {
        guard let profile = ICCProfile.displayP3 else { return [] }
        return switch type {
        case .jpeg: JPEGProfile.segments(profile)[0]
        case .png: PNGProfile.chunk(profile)[0]
        case .webp: (Array("ICCP".utf8) + [4, 0, 0, 0] + Array("icc!".utf8))[...]
        default: []
        }
    }
}

/// Random changes break the checksums of a PNG, and nothing behind the first of them would ever be read.
enum PNGChecksums {
    /// Puts the right checksum behind every chunk; inputs with an odd last byte stay wrong.
    static func corrected(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.last.map({ $0 & 1 == 0 }) == true else { return bytes }
        var (bytes, position) = (bytes, 8)
        while position + 12 <= bytes.count {
            let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - position - 12 else { break }
            let end = position + 8 + length
            bytes.replaceSubrange(end..<end + 4, with: Checksum.crc32(bytes[position + 4..<end]).bigEndianBytes)
            position = end + 4
        }
        return bytes
    }
}
