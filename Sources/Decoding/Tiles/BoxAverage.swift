public import DecoderProtocol

/// Makes pictures smaller: each pixel becomes the mean of a square of pixels.
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
            average(sums, source, by: factor, rows: bottom - top, into: target + row * stride)
        }
    }

    /// Adds rows up; 16 rows of 255 still fit into 16 bits.
    private static func sum(_ source: RasterView, _ rows: Range<Int>, _ sums: UnsafeMutablePointer<UInt16>) {
        let count = source.width * source.bytesPerPixel
        for y in rows {
            let row = (source.base + y * source.stride).assumingMemoryBound(to: UInt8.self)
            if y == rows.lowerBound {
                for x in 0..<count { sums[x] = UInt16(truncatingIfNeeded: row[x]) }
            } else {
                for x in 0..<count { sums[x] &+= UInt16(truncatingIfNeeded: row[x]) }
            }
        }
    }

    private static func average(
        _ sums: UnsafeMutablePointer<UInt16>, _ source: RasterView, by factor: Int, rows: Int,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        let (width, channels) = (source.width, source.bytesPerPixel)
        let whole = width / factor
        if channels == 1, factor == 2, rows == 2 {
            for x in 0..<whole {
                target[x] = UInt8(truncatingIfNeeded: (sums[2 &* x] &+ sums[2 &* x &+ 1] &+ 2) >> 2)
            }
        } else {
            for x in 0..<whole {
                mean(sums + x * factor * channels, channels, columns: factor, rows: rows, into: target + x * channels)
            }
        }
        let (left, start) = (width - whole * factor, whole * factor * channels)
        if left > 0 { mean(sums + start, channels, columns: left, rows: rows, into: target + whole * channels) }
    }

    private static func mean(
        _ sums: UnsafeMutablePointer<UInt16>, _ channels: Int, columns: Int, rows: Int,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        let area = UInt32(truncatingIfNeeded: columns &* rows)
        for channel in 0..<channels {
            var sum: UInt32 = 0
            for x in 0..<columns { sum &+= UInt32(sums[x &* channels &+ channel]) }
            target[channel] = UInt8(truncatingIfNeeded: (sum &+ area / 2) / area)
        }
    }
}

extension RasterView {
    /// Makes a smaller copy, both sides divided by `factor`.
    public func reduced(by factor: Int) throws(Failure) -> Raster {
        guard (1...TilePlan.maximumReduction).contains(factor) else { throw Failure(.internalFault, "by \(factor)") }
        let copy = try Raster(
            width: (width + factor - 1) / factor, height: (height + factor - 1) / factor, bytesPerPixel: bytesPerPixel)
        let sums = UnsafeMutablePointer<UInt16>.allocate(capacity: width * bytesPerPixel)
        defer { sums.deallocate() }
        copy.withBytes { BoxAverage.reduce(self, by: factor, into: $0, stride: copy.stride, sums: sums) }
        return copy
    }
}
