import DecoderProtocol
import PinpostCore

/// Takes a WebP file apart by its chunks (RFC 9649, section 2) and keeps pixels, colours and animation.
enum WebPCleaner: PictureCleaner {
    static func clean(
        _ file: ArraySlice<UInt8>, adding profile: [ArraySlice<UInt8>], limits: PictureLimits
    ) throws(MediaError) -> CleanFile {
        var cleaning = WebPCleaning(limits: limits, addition: profile)
        do {
            return try cleaning.run(file)
        } catch {
            throw MediaError(error, in: .webp)
        }
    }
}

/// One pass over one WebP file.
private struct WebPCleaning {
    private enum Flag {
        static let profile: UInt8 = 0x20
        static let alpha: UInt8 = 0x10
        static let exif: UInt8 = 0x08
        static let xmp: UInt8 = 0x04
        static let animation: UInt8 = 0x02
    }

    private static let maximumChunks = 10_000

    let limits: PictureLimits
    let addition: [ArraySlice<UInt8>]
    private var clean = CleanFile(.webp)
    private var flags: UInt8?
    private var frames = 0
    private var hasPicture = false
    /// What a picture without an extended header says of itself.
    private var hasAlpha = false
    private var chunks: [ArraySlice<UInt8>] = []

    init(limits: PictureLimits, addition: [ArraySlice<UInt8>]) {
        (self.limits, self.addition) = (limits, addition)
    }

    mutating func run(_ file: ArraySlice<UInt8>) throws -> CleanFile {
        var reader = ByteReader(file)
        try reader.take(4)
        let size = try reader.little(4)
        guard size >= 4, size <= reader.remaining else { throw Malformed("its end is missing") }
        if reader.remaining > size + size & 1 { clean.remove("trailing data") }
        var body = ByteReader(try reader.take(size))
        try body.take(4)
        while body.remaining >= 8 {
            guard chunks.count < Self.maximumChunks else { throw Malformed.tooMuch("it has too many chunks") }
            try take(try WebPChunk(&body))
        }
        guard hasPicture || frames > 0 else { throw Malformed("it holds no picture") }
        return assembled()
    }

    private mutating func take(_ chunk: WebPChunk) throws {
        switch chunk.type {
        case "VP8X": return try takeHeader(chunk)
        case "VP8 ", "VP8L": try takePicture(chunk)
        case "ANMF": try takeFrame(chunk)
        case "ICCP":
            clean.profile = [chunk.whole]
            guard addition.isEmpty else { return }
        case "ALPH", "ANIM": break
        case "EXIF":
            let payload = chunk.payload
            return clean.remove(ExifSummary(tiff: payload.starts(with: "Exif\0") ? payload.dropFirst(6) : payload))
        case "XMP ": return clean.remove("xmp")
        default: return clean.remove("application data")
        }
        chunks.append(chunk.whole)
    }

    private mutating func takeHeader(_ chunk: WebPChunk) throws {
        guard flags == nil, chunks.isEmpty else { throw Malformed("its header is in the wrong place") }
        var reader = ByteReader(chunk.payload)
        flags = UInt8(try reader.big(1))
        try reader.take(3)
        (clean.width, clean.height) = (try reader.little(3) + 1, try reader.little(3) + 1)
        try limits.check(width: clean.width, height: clean.height, of: .webp)
    }

    /// The frame header of VP8 (RFC 6386, section 9.1) or VP8L (RFC 9649, section 3.4).
    private mutating func takePicture(_ chunk: WebPChunk) throws {
        guard !hasPicture else { throw Malformed("it holds two pictures") }
        hasPicture = true
        var reader = ByteReader(chunk.payload)
        let size: (width: Int, height: Int)
        if chunk.type == "VP8L" {
            guard try reader.big(1) == 0x2F else { throw Malformed("its picture is unreadable") }
            let bits = try reader.little(4)
            size = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
            hasAlpha = bits >> 28 & 1 == 1
        } else {
            try reader.take(3)
            guard try reader.big(3) == 0x9D012A else { throw Malformed("its picture is unreadable") }
            size = (try reader.little(2) & 0x3FFF, try reader.little(2) & 0x3FFF)
        }
        guard flags == nil || size == (clean.width, clean.height) else { throw Malformed("its sizes differ") }
        (clean.width, clean.height) = size
        try limits.check(width: size.width, height: size.height, of: .webp)
    }

    private mutating func takeFrame(_ chunk: WebPChunk) throws {
        guard let flags, flags & Flag.animation != 0, chunk.payload.count > 16 else {
            throw Malformed("its animation is unreadable")
        }
        frames += 1
        clean.isAnimated = true
        try limits.check(frames: frames, width: clean.width, height: clean.height, of: .webp)
    }

    /// Puts the chunks under a new RIFF header; the extended header is written anew where there is one.
    private mutating func assembled() -> CleanFile {
        if var flags = addition.isEmpty ? flags : flags ?? (hasAlpha ? Flag.alpha : 0) {
            flags &= ~(Flag.exif | Flag.xmp)
            if !addition.isEmpty { flags |= Flag.profile }
            chunks = [header(flags)[...]] + addition + chunks
        }
        let size = UInt32(clamping: 4 + chunks.reduce(0) { $0 + $1.count })
        clean.keep((Array("RIFF".utf8) + size.littleEndianBytes + Array("WEBP".utf8))[...])
        for chunk in chunks { clean.keep(chunk) }
        return clean
    }

    private func header(_ flags: UInt8) -> [UInt8] {
        let width = UInt32(clean.width - 1).littleEndianBytes.prefix(3)
        let height = UInt32(clean.height - 1).littleEndianBytes.prefix(3)
        return Array("VP8X".utf8) + [10, 0, 0, 0] + [flags, 0, 0, 0] + width + height
    }
}

/// One RIFF chunk.
private struct WebPChunk {
    let type: String
    let payload: ArraySlice<UInt8>
    /// Type, length, payload and padding.
    let whole: ArraySlice<UInt8>

    init(_ reader: inout ByteReader) throws(Malformed) {
        let rest = reader.rest
        type = try reader.code()
        let length = try reader.little(4)
        payload = try reader.take(length)
        guard length & 1 == 1 else {
            whole = rest.prefix(8 + length)
            return
        }
        // The last padding byte is forgotten by some writers.
        let isPadded = reader.remaining > 0
        if isPadded { try reader.take(1) }
        whole = isPadded ? rest.prefix(9 + length) : (rest + [0])[...]
    }
}
