/// What the pixels of a picture are like.
extension RasterView {
    /// More opaque than this does not show.
    private static let opaque: UInt8 = 250

    /// Whether the last byte of a pixel is alpha.
    var hasAlpha: Bool { bytesPerPixel == 4 }

    /// Whether more than one pixel in a hundred of an RGBA picture lets something through: photos with a stray alpha
    /// plane do not.
    var isTransparent: Bool {
        var count = 0
        for y in 0..<height {
            let row = row(y)
            for x in 0..<width where row[4 * x + 3] < Self.opaque { count += 1 }
        }
        return count * 100 > width * height
    }

    /// Blends RGBA pixels with white, in place.
    /// - Returns: whether that changed anything.
    func layOnWhite() -> Bool {
        var hasChanged = false
        for y in 0..<height {
            let row = row(y)
            for x in 0..<width where row[4 * x + 3] != 255 {
                hasChanged = true
                let alpha = Int(row[4 * x + 3])
                for channel in 4 * x..<4 * x + 3 {
                    row[channel] = UInt8(truncatingIfNeeded: (Int(row[channel]) * alpha + 255 * (255 - alpha)) / 255)
                }
            }
        }
        return hasChanged
    }

    /// Packs RGBA pixels to RGB in the memory that they lie in.
    func withoutAlpha() -> RasterView {
        var target = row(0)
        for y in 0..<height {
            let row = row(y)
            for x in 0..<width {
                for channel in 0..<3 { target[channel] = row[4 * x + channel] }
                target += 3
            }
        }
        return RasterView(base: base, width: width, height: height, stride: 3 * width, bytesPerPixel: 3)
    }

    /// Whether there are at most so many colours; in a photo a few rows tell.
    func hasFewColors(_ limit: Int) -> Bool {
        var (seen, last): (Set<UInt32>, UInt32?) = ([], nil)
        for y in 0..<height {
            let row = row(y)
            for x in 0..<width {
                var color: UInt32 = 0
                for channel in 0..<bytesPerPixel { color = color << 8 | UInt32(row[x * bytesPerPixel + channel]) }
                guard color != last else { continue }
                last = color
                guard seen.insert(color).inserted, seen.count > limit else { continue }
                return false
            }
        }
        return true
    }

    private func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
        UnsafeMutableRawPointer(mutating: base + y * stride).assumingMemoryBound(to: UInt8.self)
    }
}
