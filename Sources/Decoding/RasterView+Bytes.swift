import DecoderProtocol

/// The turns of planes, eight samples at a time: they are a tenth of the whole way from HEIC to JPEG otherwise.
extension RasterView {
    /// How many samples of a block's side fit into the caches of rows and columns at once.
    private static let block = 64

    /// Copies rows that run in the same direction, or in the opposite one.
    func copyRows(
        from origin: UnsafeRawPointer, step: Int, mirrored: Bool, to target: UnsafeMutableRawPointer,
        stride targetStride: Int
    ) {
        for y in 0..<height {
            let (source, row) = (origin + y * step, target + y * targetStride)
            guard mirrored else {
                row.copyMemory(from: source, byteCount: width)
                continue
            }
            var x = 0
            while x + 8 <= width {
                let word = (source - x - 7).loadUnaligned(as: UInt64.self)
                row.storeBytes(of: word.byteSwapped, toByteOffset: x, as: UInt64.self)
                x += 8
            }
            while x < width {
                row.storeBytes(of: (source - x).load(as: UInt8.self), toByteOffset: x, as: UInt8.self)
                x += 1
            }
        }
    }

    /// Writes columns as rows, beginning with the sample at `origin`.
    ///
    /// The sample that lands right of another lies `alongX` bytes from it, a row up or down; the one that lands below
    /// is the next one in memory if `ascending`, else the one before.
    func transpose(
        from origin: UnsafeRawPointer, alongX: Int, ascending: Bool, to target: UnsafeMutableRawPointer,
        stride targetStride: Int
    ) {
        // In the target, width and height have changed places.
        let (width, height) = (self.height, self.width)
        for top in Swift.stride(from: 0, to: height, by: Self.block) {
            for left in Swift.stride(from: 0, to: width, by: Self.block) {
                let (bottom, right) = (min(top + Self.block, height), min(left + Self.block, width))
                let (fullBottom, fullRight) = (top + (bottom - top) & ~15, left + (right - left) & ~7)
                for y in Swift.stride(from: top, to: fullBottom, by: 16) {
                    for x in Swift.stride(from: left, to: fullRight, by: 8) {
                        let source = origin + x * alongX + (ascending ? y : -y)
                        Self.transposeBlock(
                            source, alongX, ascending, target + y * targetStride + x, targetStride)
                    }
                }
                // What is left of partial blocks at the right and at the bottom.
                for y in top..<bottom {
                    let row = target + y * targetStride
                    for x in (y < fullBottom ? fullRight : left)..<right {
                        let sample = origin + x * alongX + (ascending ? y : -y)
                        row.storeBytes(of: sample.load(as: UInt8.self), toByteOffset: x, as: UInt8.self)
                    }
                }
            }
        }
    }

    /// Turns 8 rows of 16 samples into 16 rows of 8.
    @inline(__always)
    private static func transposeBlock(
        _ source: UnsafeRawPointer, _ step: Int, _ ascending: Bool, _ target: UnsafeMutableRawPointer, _ stride: Int
    ) {
        var block = ByteBlock { row in
            let start = source + row * step
            guard !ascending else { return start.loadUnaligned(as: SIMD2<UInt64>.self) }
            let words = (start - 15).loadUnaligned(as: SIMD2<UInt64>.self)
            return SIMD2(words.y.byteSwapped, words.x.byteSwapped)
        }
        block.transpose()
        block.store { index, words in
            (target + index * stride).storeBytes(of: words.x, as: UInt64.self)
            (target + (index + 8) * stride).storeBytes(of: words.y, as: UInt64.self)
        }
    }
}

/// Two squares of 8 by 8 samples, transposed in registers: single samples, then pairs, then fours change places.
private struct ByteBlock {
    private var rows: (Words, Words, Words, Words, Words, Words, Words, Words)
    private typealias Words = SIMD2<UInt64>

    @inline(__always)
    init(_ row: (Int) -> SIMD2<UInt64>) {
        rows = (row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7))
    }

    @inline(__always)
    mutating func transpose() {
        let (samples, pairs, fours): (UInt64, UInt64, UInt64) = (0x00FF_00FF_00FF_00FF, 0xFFFF_0000_FFFF, 0xFFFF_FFFF)
        Self.exchange(&rows.0, &rows.1, 8, samples)
        Self.exchange(&rows.2, &rows.3, 8, samples)
        Self.exchange(&rows.4, &rows.5, 8, samples)
        Self.exchange(&rows.6, &rows.7, 8, samples)
        Self.exchange(&rows.0, &rows.2, 16, pairs)
        Self.exchange(&rows.1, &rows.3, 16, pairs)
        Self.exchange(&rows.4, &rows.6, 16, pairs)
        Self.exchange(&rows.5, &rows.7, 16, pairs)
        Self.exchange(&rows.0, &rows.4, 32, fours)
        Self.exchange(&rows.1, &rows.5, 32, fours)
        Self.exchange(&rows.2, &rows.6, 32, fours)
        Self.exchange(&rows.3, &rows.7, 32, fours)
    }

    /// Gives the upper parts of one row for the lower parts of the other.
    @inline(__always)
    private static func exchange(_ upper: inout Words, _ lower: inout Words, _ shift: UInt64, _ mask: UInt64) {
        let difference = ((upper &>> Words(repeating: shift)) ^ lower) & Words(repeating: mask)
        lower ^= difference
        upper ^= difference &<< Words(repeating: shift)
    }

    @inline(__always)
    func store(_ body: (Int, SIMD2<UInt64>) -> Void) {
        body(0, rows.0)
        body(1, rows.1)
        body(2, rows.2)
        body(3, rows.3)
        body(4, rows.4)
        body(5, rows.5)
        body(6, rows.6)
        body(7, rows.7)
    }
}
