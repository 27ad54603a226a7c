import DecoderProtocol
import PinpostCore

/// The size of a JPEG XL picture, judged before libjxl sees it (ISO/IEC 18181-1, annex D.2).
struct JXLFile {
    /// The most that libjxl decodes within the memory of its process.
    private static let maximumPixels = 24_000_000
    private static let maximumBoxes = 64
    private static let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]

    let size: PictureSize

    /// - Throws: `.damaged` or `.overLimit`.
    init(_ file: ArraySlice<UInt8>, limits: PictureLimits) throws(MediaError) {
        do {
            size = try Self.size(try Self.codestream(file))
        } catch {
            throw MediaError(error, in: .jxl)
        }
        try limits.check(
            width: size.width, height: size.height, of: .jxl, upTo: min(limits.wholePixels, Self.maximumPixels))
    }

    /// The beginning of the picture, out of its container where it has one (ISO/IEC 18181-2).
    private static func codestream(_ file: ArraySlice<UInt8>) throws(Malformed) -> ArraySlice<UInt8> {
        guard !file.starts(with: [0xFF, 0x0A]) else { return file }
        var reader = ByteReader(file)
        for _ in 0..<maximumBoxes {
            let header = try Box.Header(&reader, available: reader.remaining)
            let payload = try reader.take(header.size - header.length)
            if header.type == "jxlc" { return payload }
            if header.type == "jxlp" { return payload.dropFirst(4) }
        }
        throw Malformed("it holds no picture")
    }

    private static func size(_ codestream: ArraySlice<UInt8>) throws(Malformed) -> PictureSize {
        guard codestream.starts(with: [0xFF, 0x0A]) else { throw Malformed("its header is missing") }
        var bits = LittleBits(codestream.dropFirst(2).prefix(16))
        let isSmall = try bits.take(1) == 1
        let height = try length(&bits, isSmall)
        let ratio = try bits.take(3)
        guard ratio > 0 else { return PictureSize(width: try length(&bits, isSmall), height: height) }
        let (across, down) = ratios[ratio - 1]
        return PictureSize(width: height * across / down, height: height)
    }

    private static func length(_ bits: inout LittleBits, _ isSmall: Bool) throws(Malformed) -> Int {
        guard !isSmall else { return 8 * (try bits.take(5) + 1) }
        return try bits.take([9, 13, 18, 30][try bits.take(2)]) + 1
    }
}

/// Takes bits, the lowest of a byte first.
private struct LittleBits {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    mutating func take(_ count: Int) throws(Malformed) -> Int {
        guard position + count <= 8 * bytes.count else { throw Malformed("it ends too early") }
        defer { position += count }
        return (position..<position + count).enumerated().reduce(0) { sum, bit in
            sum | Int(bytes[bit.element / 8] >> (bit.element % 8) & 1) << bit.offset
        }
    }
}
