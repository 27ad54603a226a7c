import DecoderProtocol

/// What stands before the pixels of a Windows bitmap: any of its headers, and the colour masks and the palette.
struct BitmapHeader {
    enum Compression: UInt32 {
        case none
        case runs8
        case runs4
        case masks
        case masksWithAlpha = 6
    }

    /// Which bits of a pixel hold one channel.
    struct Mask {
        let bits: UInt32

        /// The channel in 8 bits.
        func level(_ pixel: UInt32) -> UInt8 {
            guard bits != 0 else { return 0 }
            let (value, most) = (
                UInt64(pixel & bits) >> bits.trailingZeroBitCount, UInt64(bits >> bits.trailingZeroBitCount)
            )
            return UInt8(truncatingIfNeeded: (value * 255 + most / 2) / most)
        }
    }

    private static let coreLength = 12
    private static let lengths = [coreLength, 40, 52, 56, 64, 108, 124]
    private static let os2Length = 64

    let width: Int
    let height: Int
    let isTopDown: Bool
    let bits: Int
    let compression: Compression
    /// Red, green, blue and alpha; empty for pictures with a palette.
    private(set) var masks: [Mask] = []
    /// Red, green and blue.
    private(set) var palette: [(UInt8, UInt8, UInt8)] = []
    /// Where the header, masks and palette end.
    let end: Int

    /// Reads a header at a place; `halvesHeight` for an icon, whose mask counts as height.
    init(_ bytes: LittleEndianBytes, at start: Int, isIcon: Bool) throws(Failure) {
        let length = Int(try bytes.number(at: start, 4))
        guard Self.lengths.contains(length) else { throw Failure(.unsupported, "a bitmap header of \(length) bytes") }
        let isCore = length == Self.coreLength
        let size = try Self.size(bytes, start, isCore: isCore)
        let depth = Int(try bytes.number(at: start + (isCore ? 10 : 14), 2))
        let kind = isCore ? 0 : UInt32(try bytes.number(at: start + 16, 4))
        guard let compression = Compression(rawValue: kind), length != Self.os2Length || kind < 3 else {
            throw Failure(.unsupported, "bitmap compression \(kind)")
        }
        (width, isTopDown, bits, self.compression) = (size.width, size.height < 0, depth, compression)
        height = isIcon ? abs(size.height) / 2 : abs(size.height)
        guard width > 0, height > 0, [1, 2, 4, 8, 16, 24, 32].contains(bits), Self.fits(compression, bits, isTopDown)
        else { throw Failure(.damaged, "the bitmap header contradicts itself") }
        let maskCount = length >= 52 || bits != 16 && bits != 32 ? 0 : compression.maskCount
        let colorCount = isCore ? 0 : Int(try bytes.number(at: start + 32, 4))
        let paletteStart = start + length + 4 * maskCount
        let entry = isCore ? 3 : 4
        let count = bits > 8 ? 0 : colorCount == 0 ? 1 << bits : min(colorCount, 1 << bits)
        end = paletteStart + count * entry
        for index in 0..<count {
            let color = try bytes.number(at: paletteStart + index * entry, 3)
            palette.append((UInt8(color >> 16 & 0xFF), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF)))
        }
        if bits > 8 { masks = try Self.masks(bytes, start, length, bits, compression, isIcon: isIcon) }
    }

    private static func size(
        _ bytes: LittleEndianBytes, _ start: Int, isCore: Bool
    ) throws(Failure) -> (width: Int, height: Int) {
        guard !isCore else { return (Int(try bytes.number(at: start + 4, 2)), Int(try bytes.number(at: start + 6, 2))) }
        let width = Int32(truncatingIfNeeded: try bytes.number(at: start + 4, 4))
        return (Int(width), Int(Int32(truncatingIfNeeded: try bytes.number(at: start + 8, 4))))
    }

    private static func fits(_ compression: Compression, _ bits: Int, _ isTopDown: Bool) -> Bool {
        switch compression {
        case .none: true
        case .runs8: bits == 8 && !isTopDown
        case .runs4: bits == 4 && !isTopDown
        case .masks, .masksWithAlpha: bits == 16 || bits == 32
        }
    }

    private static func masks(
        _ bytes: LittleEndianBytes, _ start: Int, _ length: Int, _ bits: Int, _ compression: Compression, isIcon: Bool
    ) throws(Failure) -> [Mask] {
        guard compression != .none else {
            // 32 bits are without alpha in a file, and with it in an icon.
            let alpha: UInt32 = isIcon && bits == 32 ? 0xFF00_0000 : 0
            return (bits == 16 ? [0x7C00, 0x3E0, 0x1F, 0] : [0xFF_0000, 0xFF00, 0xFF, alpha]).map(Mask.init)
        }
        // In a header that has room for them, masks are part of it; else they follow. They begin at the same place.
        let hasAlpha = length >= 56 || compression == .masksWithAlpha
        return try (0..<4).map { (index) throws(Failure) in
            Mask(bits: index < 3 || hasAlpha ? UInt32(try bytes.number(at: start + 40 + 4 * index, 4)) : 0)
        }
    }
}

extension BitmapHeader.Compression {
    /// How many masks follow a header that has no room for them.
    fileprivate var maskCount: Int {
        switch self {
        case .masks: 3
        case .masksWithAlpha: 4
        default: 0
        }
    }
}

/// Bytes of an untrusted file, read with their bounds in mind.
struct LittleEndianBytes {
    let base: UnsafeBufferPointer<UInt8>

    var count: Int { base.count }

    /// A number of up to 4 bytes.
    /// - Throws: `.damaged` where the file is shorter.
    func number(at place: Int, _ length: Int) throws(Failure) -> UInt64 {
        try check(place, length)
        return (0..<length).reduce(0) { $0 | UInt64(base[place + $1]) << (8 * UInt64($1)) }
    }

    /// - Throws: `.damaged` where a piece is not inside the file.
    func check(_ place: Int, _ length: Int) throws(Failure) {
        guard place >= 0, length >= 0, place <= count, length <= count - place else {
            throw Failure(.damaged, "the bitmap ends too early")
        }
    }
}
