import DecoderProtocol
import PinpostCore

/// Takes a PNG apart by its chunks (ISO/IEC 15948, section 5) and keeps what belongs to the picture.
enum PNGCleaner: PictureCleaner {
    /// Pixels, transparency, colours, physical size and animation; everything else is text, dates and private data.
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD",
        "hIST", "pHYs", "sPLT", "acTL", "fcTL", "fdAT",
    ]
    /// What an added profile replaces.
    private static let colorChunks: Set<String> = ["iCCP", "sRGB", "gAMA", "cHRM", "cICP"]
    private static let maximumChunks = 100_000
    private static let signatureLength = 8

    static func clean(
        _ file: ArraySlice<UInt8>, adding profile: [ArraySlice<UInt8>], limits: PictureLimits
    ) throws(MediaError) -> CleanFile {
        var clean = CleanFile(.png)
        do {
            var reader = ByteReader(file)
            clean.keep(try reader.take(signatureLength))
            for _ in 0..<maximumChunks {
                let chunk = try PNGChunk(&reader)
                try take(chunk, into: &clean, adding: profile, limits)
                guard chunk.type != "IEND" else {
                    if reader.remaining > 0 { clean.remove("trailing data") }
                    return clean
                }
            }
            throw Malformed.tooMuch("it has too many chunks")
        } catch {
            throw MediaError(error, in: .png)
        }
    }

    private static func take(
        _ chunk: PNGChunk, into clean: inout CleanFile, adding profile: [ArraySlice<UInt8>], _ limits: PictureLimits
    ) throws {
        guard clean.width > 0 || chunk.type == "IHDR" else { throw Malformed("its header is missing") }
        switch chunk.type {
        case "IHDR":
            guard clean.width == 0 else { throw Malformed("it has two headers") }
            var reader = ByteReader(chunk.payload)
            (clean.width, clean.height) = (try reader.big(4), try reader.big(4))
            try limits.check(width: clean.width, height: clean.height, of: .png)
        case "acTL":
            var reader = ByteReader(chunk.payload)
            clean.isAnimated = true
            try limits.check(frames: try reader.big(4), width: clean.width, height: clean.height, of: .png)
        case "iCCP":
            guard chunk.payload.count <= PNGProfile.longestPacked else { return clean.remove("icc profile") }
            if profile.isEmpty { clean.profile = [chunk.whole] }
        case "eXIf": return clean.remove(ExifSummary(tiff: chunk.payload))
        case "tEXt", "zTXt", "iTXt": return clean.remove("text")
        case let type where !kept.contains(type): return clean.remove("\(type) chunk")
        default: break
        }
        if !profile.isEmpty, colorChunks.contains(chunk.type) { return }
        clean.keep(chunk.whole)
        guard chunk.type == "IHDR" else { return }
        clean.markMetadataPlace()
        profile.forEach { clean.keep($0) }
    }
}

/// One chunk whose checksum is right.
struct PNGChunk {
    let type: String
    let payload: ArraySlice<UInt8>
    /// Length, type, payload and checksum.
    let whole: ArraySlice<UInt8>

    init(_ reader: inout ByteReader) throws(Malformed) {
        guard reader.remaining > 0 else { throw Malformed("its end is missing") }
        let rest = reader.rest
        let length = try reader.big(4)
        guard length <= Int(Int32.max) else { throw Malformed("a chunk is too long") }
        let checked = try reader.take(4 + length)
        guard try reader.big(4) == Int(Checksum.crc32(checked)) else { throw Malformed("a checksum is wrong") }
        var start = ByteReader(checked)
        type = try start.code()
        payload = checked.dropFirst(4)
        whole = rest.prefix(length + 12)
    }

    /// A chunk as it stands in a file.
    static func bytes(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + payload
        return UInt32(clamping: payload.count).bigEndianBytes + checked + Checksum.crc32(checked[...]).bigEndianBytes
    }
}
