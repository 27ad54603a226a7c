/// Makes a plane smaller: each pixel becomes the mean of a square of pixels.
enum BoxAverage {
    /// Fills `target` with the means of squares of `factor` by `factor` pixels; at the right and bottom edge of fewer.
    ///
    /// `sums` is scratch memory for one row of the source.
    static func reduce(
        _ source: RasterView, by factor: Int, into target: UnsafeMutablePointer<UInt8>, stride: Int,
        sums: UnsafeMutablePointer<UInt16>
    ) {
        for (row, top) in Swift.stride(from: 0, to: source.height, by: factor).enumerated() {
            let bottom = min(top + factor, source.height)
            sum(source, top..<bottom, sums)
            average(sums, source.width, by: factor, rows: bottom - top, into: target + row * stride)
        }
    }

    /// Adds rows up; 16 rows of 255 still fit into 16 bits.
    private static func sum(_ source: RasterView, _ rows: Range<Int>, _ sums: UnsafeMutablePointer<UInt16>) {
        for y in rows {
            let row = (source.base + y * source.stride).assumingMemoryBound(to: UInt8.self)
            if y == rows.lowerBound {
                for x in 0..<source.width { sums[x] = UInt16(truncatingIfNeeded: row[x]) }
            } else {
                for x in 0..<source.width { sums[x] &+= UInt16(truncatingIfNeeded: row[x]) }
            }
        }
    }

    private static func average(
        _ sums: UnsafeMutablePointer<UInt16>, _ width: Int, by factor: Int, rows: Int,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        let whole = width / factor
        if factor == 2, rows == 2 {
            for x in 0..<whole {
                target[x] = UInt8(truncatingIfNeeded: (sums[2 &* x] &+ sums[2 &* x &+ 1] &+ 2) >> 2)
            }
        } else {
            for x in 0..<whole { target[x] = mean(sums + x * factor, factor, rows) }
        }
        let left = width - whole * factor
        if left > 0 { target[whole] = mean(sums + whole * factor, left, rows) }
    }

    private static func mean(_ sums: UnsafeMutablePointer<UInt16>, _ columns: Int, _ rows: Int) -> UInt8 {
        var sum: UInt32 = 0
        for x in 0..<columns { sum &+= UInt32(sums[x]) }
        let area = UInt32(truncatingIfNeeded: columns &* rows)
        return UInt8(truncatingIfNeeded: (sum &+ area / 2) / area)
    }
}
