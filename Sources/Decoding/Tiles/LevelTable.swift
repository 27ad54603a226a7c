import DecoderProtocol

/// Brings samples to what a JPEG holds: 8 bits of the full range (ITU-T H.273, section 8.3; JFIF 1.02).
struct LevelTable {
    /// libde265 decodes up to 16 bits.
    private static let bitDepths = 8...16

    private let levels: [UInt8]

    /// The table for a plane; nil where its samples are right already.
    ///
    /// Luma of the limited range, 16 to 235 in 8 bits, becomes 0 to 255; chroma, 16 to 240 around 128, becomes 0.5 to
    /// 255.5 around 128. More bits go down to 8 by rounding to the nearest level.
    init?(bits: Int, isFullRange: Bool, isLuma: Bool) throws(Failure) {
        guard Self.bitDepths.contains(bits) else { throw Failure(.unsupported, "\(bits) bits a sample") }
        guard bits > 8 || !isFullRange else { return nil }
        let scale = 1 << (bits - 8)
        let zero = isLuma ? (isFullRange ? 0 : 16 * scale) : 128 * scale
        let range = isFullRange ? 1 << bits - 1 : (isLuma ? 219 : 224) * scale
        let centre = isLuma ? 0 : 128
        levels = (0..<1 << bits).map { level in
            let distance = level - zero
            let rounding = distance < 0 ? -range / 2 : range / 2
            return UInt8(clamping: (distance * 255 + rounding) / range + centre)
        }
    }

    /// Makes a copy of a plane of 1 or 2 bytes a sample.
    func applied(to plane: RasterView) throws(Failure) -> Raster {
        let copy = try Raster(width: plane.width, height: plane.height, bytesPerPixel: 1)
        levels.withUnsafeBufferPointer { levels in
            copy.withBytes { target in
                for y in 0..<plane.height {
                    let (row, result) = (plane.base + y * plane.stride, target + y * copy.stride)
                    if plane.bytesPerPixel == 1 {
                        let samples = row.assumingMemoryBound(to: UInt8.self)
                        for x in 0..<plane.width { result[x] = levels[Int(samples[x])] }
                    } else {
                        let samples = row.assumingMemoryBound(to: UInt16.self)
                        // A decoder that is wrong must not read beyond the table.
                        for x in 0..<plane.width { result[x] = levels[min(Int(samples[x]), levels.count - 1)] }
                    }
                }
            }
        }
        return copy
    }
}
