public import DecoderProtocol
import Glibc

/// Pixels that somebody else owns: rows of equal length in memory.
public struct RasterView {
    public let base: UnsafeRawPointer
    public let width: Int
    public let height: Int
    /// Bytes from one row to the next.
    public let stride: Int
    public let bytesPerPixel: Int

    public init(base: UnsafeRawPointer, width: Int, height: Int, stride: Int, bytesPerPixel: Int) {
        (self.base, self.width, self.height) = (base, width, height)
        (self.stride, self.bytesPerPixel) = (stride, bytesPerPixel)
    }

    /// A rectangle of these pixels.
    /// - Throws: `.damaged` when it is not inside.
    func part(columns: Range<Int>, rows: Range<Int>) throws(Failure) -> RasterView {
        guard columns.lowerBound >= 0, rows.lowerBound >= 0, columns.upperBound <= width, rows.upperBound <= height
        else { throw Failure(.damaged, "a picture is smaller than it says") }
        return RasterView(
            base: base + rows.lowerBound * stride + columns.lowerBound * bytesPerPixel, width: columns.count,
            height: rows.count, stride: stride, bytesPerPixel: bytesPerPixel)
    }
}

/// Owns the pixels of a picture or of one of its planes.
public struct Raster: ~Copyable {
    public let width: Int
    public let height: Int
    private let base: UnsafeMutableRawPointer
    private let bytesPerPixel: Int
    public let stride: Int

    /// Allocates without clearing.
    /// - Throws: `.tooLarge` when memory does not allow it.
    public init(width: Int, height: Int, bytesPerPixel: Int) throws(Failure) {
        let (row, overflowed) = width.multipliedReportingOverflow(by: bytesPerPixel)
        let (size, overflowedAgain) = row.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflowed, !overflowedAgain, let memory = malloc(size) else {
            throw Failure(.tooLarge, "no memory for \(width) x \(height) pixels")
        }
        (self.width, self.height, self.bytesPerPixel) = (width, height, bytesPerPixel)
        (base, stride) = (memory, row)
    }

    deinit { free(base) }

    /// Lends the pixels; they live at least until `body` returns, which a bare pointer could not promise.
    public borrowing func withView<Result: ~Copyable>(
        _ body: (RasterView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(RasterView(base: base, width: width, height: height, stride: stride, bytesPerPixel: bytesPerPixel))
    }

    /// Lends the pixels to somebody who fills them in.
    public borrowing func withBytes<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
        body(base.assumingMemoryBound(to: UInt8.self))
    }

    /// Makes an upright copy.
    public borrowing func upright(_ orientation: Orientation) throws(Failure) -> Raster {
        try withView { (view) throws(Failure) in try view.upright(orientation) }
    }

    /// Lends the pixels made smaller and turned; what they were before is gone then.
    consuming func withFinished<Result>(
        _ finish: Finish, _ body: (RasterView) throws(Failure) -> Result
    ) throws(Failure) -> (Result, PictureSize) {
        try withView { (view) throws(Failure) in
            var smaller = view
            if let size = finish.size { smaller = try view.reducedInPlace(to: size) }
            let size = PictureSize(width: smaller.width, height: smaller.height).upright(finish.orientation)
            guard finish.orientation != .up else { return (try body(smaller), size) }
            return try smaller.upright(finish.orientation).withView { (upright) throws(Failure) in
                (try body(upright), size)
            }
        }
    }
}

extension RasterView {
    /// Makes an upright copy.
    public func upright(_ orientation: Orientation) throws(Failure) -> Raster {
        let size = orientation.upright(width: width, height: height)
        let copy = try Raster(width: size.width, height: size.height, bytesPerPixel: bytesPerPixel)
        copy.withBytes { turn(orientation, into: UnsafeMutableRawPointer($0), stride: copy.stride) }
        return copy
    }

    /// Writes the upright pixels to `target`, whose rows are `targetStride` bytes apart.
    func turn(_ orientation: Orientation, into target: UnsafeMutableRawPointer, stride targetStride: Int) {
        switch bytesPerPixel {
        case 1: turnSamples(orientation, target, targetStride)
        case 2: copy((UInt8, UInt8).self, orientation, target, targetStride)
        case 3: copy((UInt8, UInt8, UInt8).self, orientation, target, targetStride)
        default: copy((UInt8, UInt8, UInt8, UInt8).self, orientation, target, targetStride)
        }
    }

    /// Reads along two steps, one for the target's x and one for its y: every orientation is a choice of these.
    private func copy<Pixel>(
        _: Pixel.Type, _ orientation: Orientation, _ target: UnsafeMutableRawPointer, _ targetStride: Int
    ) {
        let walk = steps(orientation)
        let size = orientation.upright(width: width, height: height)
        let block = 32  // square blocks keep the column-wise reads of a quarter turn in the cache
        for top in Swift.stride(from: 0, to: size.height, by: block) {
            for left in Swift.stride(from: 0, to: size.width, by: block) {
                for y in top..<min(top + block, size.height) {
                    let row = (target + y * targetStride).assumingMemoryBound(to: Pixel.self)
                    var source = walk.origin + y * walk.y + left * walk.x
                    for x in left..<min(left + block, size.width) {
                        row[x] = source.assumingMemoryBound(to: Pixel.self).pointee
                        source += walk.x
                    }
                }
            }
        }
    }

    private func turnSamples(_ orientation: Orientation, _ target: UnsafeMutableRawPointer, _ targetStride: Int) {
        let walk = steps(orientation)
        if orientation.swapsAxes {
            transpose(
                from: walk.origin, alongX: walk.x, ascending: walk.y > 0, to: target, stride: targetStride)
        } else {
            copyRows(from: walk.origin, step: walk.y, mirrored: walk.x < 0, to: target, stride: targetStride)
        }
    }

    private func steps(_ orientation: Orientation) -> (origin: UnsafeRawPointer, x: Int, y: Int) {
        let pixel = bytesPerPixel
        let lastColumn = (width - 1) * pixel
        let lastRow = (height - 1) * stride
        switch orientation {
        case .up: return (base, pixel, stride)
        case .upMirrored: return (base + lastColumn, -pixel, stride)
        case .down: return (base + lastRow + lastColumn, -pixel, -stride)
        case .downMirrored: return (base + lastRow, pixel, -stride)
        case .leftMirrored: return (base, stride, pixel)
        case .right: return (base + lastRow, -stride, pixel)
        case .rightMirrored: return (base + lastRow + lastColumn, -stride, -pixel)
        case .left: return (base + lastColumn, stride, -pixel)
        }
    }
}
