/// Stretches samples of the limited range to the full range that a JPEG holds (ITU-T H.273, section 8.3; JFIF 1.02).
struct LevelTable {
    /// 16 to 235 become 0 to 255.
    static let luma = LevelTable { (Int($0) - 16, 219, 0) }
    /// 16 to 240 around 128 become 0.5 to 255.5 around 128.
    static let chroma = LevelTable { (Int($0) - 128, 224, 128) }

    private let levels: [UInt8]

    private init(_ scale: (UInt8) -> (distance: Int, range: Int, centre: Int)) {
        levels = (UInt8.min...UInt8.max).map { level in
            let (distance, range, centre) = scale(level)
            let rounding = distance < 0 ? -range / 2 : range / 2
            return UInt8(clamping: (distance * 255 + rounding) / range + centre)
        }
    }

    /// Replaces samples in place.
    func apply(to samples: UnsafeMutableBufferPointer<UInt8>) {
        levels.withUnsafeBufferPointer { levels in
            for index in samples.indices { samples[index] = levels[Int(samples[index])] }
        }
    }
}
