import DecoderProtocol

/// A Windows bitmap, read in Swift: all depths, palettes, masks, runs, and rows from either end.
struct BitmapPicture {
    private static let fileHeaderLength = 14

    private let bytes: LittleEndianBytes
    private let header: BitmapHeader
    /// Where the pixels begin.
    private let start: Int
    private let isIcon: Bool

    /// Reads the headers of a file.
    init(file input: InputBytes) throws(Failure) {
        bytes = LittleEndianBytes(base: UnsafeBufferPointer(start: try input.bytes(), count: input.count))
        header = try BitmapHeader(bytes, at: Self.fileHeaderLength, isIcon: false)
        let offset = Int(try bytes.number(at: 10, 4))
        // Some writers leave the field empty.
        start = offset > Self.fileHeaderLength && offset < bytes.count ? offset : header.end
        isIcon = false
    }

    /// Reads the header of a bitmap out of an icon, which has a mask behind its pixels.
    init(icon input: InputBytes) throws(Failure) {
        bytes = LittleEndianBytes(base: UnsafeBufferPointer(start: try input.bytes(), count: input.count))
        header = try BitmapHeader(bytes, at: 0, isIcon: true)
        (start, isIcon) = (header.end, true)
    }

    func convert(_ finish: Finish, into output: OutputFile) throws(Failure) -> Output {
        try decode().withView { (view) throws(Failure) in try PictureWriter(finish).write(view, into: output) }
    }

    /// Decodes to RGB, or to RGBA where the file knows transparency.
    func decode() throws(Failure) -> Raster {
        let hasAlpha = isIcon || (header.masks.last?.bits ?? 0) != 0
        let raster = try Raster(width: header.width, height: header.height, bytesPerPixel: hasAlpha ? 4 : 3)
        let target = raster.withBytes { $0 }
        switch header.compression {
        case .runs4, .runs8: try fillFromRuns(target, raster.stride)
        case .none, .masks, .masksWithAlpha: try fillFromRows(target, raster.stride)
        }
        let knowsAlpha = hasAlpha && !isFullyTransparent(target, raster.stride)
        if isIcon, !knowsAlpha { try applyMask(target, raster.stride) }
        if hasAlpha, !isIcon, !knowsAlpha { makeOpaque(target, raster.stride) }
        return raster
    }

    private func row(_ y: Int) -> Int { header.isTopDown ? y : header.height - 1 - y }

    private func fillFromRows(_ target: UnsafeMutablePointer<UInt8>, _ stride: Int) throws(Failure) {
        let length = (header.width * header.bits + 7) / 8
        let distance = (length + 3) / 4 * 4
        // The padding of the last row is not missed.
        try bytes.check(start, distance * (header.height - 1) + length)
        for y in 0..<header.height {
            let source = UnsafeBufferPointer(rebasing: bytes.base[(start + y * distance)...].prefix(length))
            let line = target + row(y) * stride
            if header.bits > 8 { fill(line, fromPixels: source) } else { fill(line, fromIndices: source) }
        }
    }

    private func fill(_ line: UnsafeMutablePointer<UInt8>, fromPixels source: UnsafeBufferPointer<UInt8>) {
        let (length, channels) = (header.bits / 8, channels)
        for x in 0..<header.width {
            var pixel: UInt32 = 0
            for index in 0..<length { pixel |= UInt32(source[x * length + index]) << UInt32(8 * index) }
            for channel in 0..<channels { line[x * channels + channel] = header.masks[channel].level(pixel) }
        }
    }

    private func fill(_ line: UnsafeMutablePointer<UInt8>, fromIndices source: UnsafeBufferPointer<UInt8>) {
        let perByte = 8 / header.bits
        for x in 0..<header.width {
            let shift = 8 - header.bits * (x % perByte + 1)
            put(Int(source[x / perByte]) >> shift & (1 << header.bits - 1), at: x, in: line)
        }
    }

    private func fillFromRuns(_ target: UnsafeMutablePointer<UInt8>, _ stride: Int) throws(Failure) {
        for y in 0..<header.height {
            for x in 0..<header.width { put(0, at: x, in: target + y * stride) }
        }
        var runs = BitmapRuns(bytes, from: start, isShort: header.compression == .runs4)
        try runs.read { x, y, index in
            guard x < header.width, y < header.height else { return }
            put(index, at: x, in: target + row(y) * stride)
        }
    }

    private var channels: Int { isIcon || (header.masks.last?.bits ?? 0) != 0 ? 4 : 3 }

    /// A colour that the palette does not have is black.
    private func put(_ index: Int, at x: Int, in line: UnsafeMutablePointer<UInt8>) {
        let pixel = line + x * channels
        (pixel[0], pixel[1], pixel[2]) = index < header.palette.count ? header.palette[index] : (0, 0, 0)
        if isIcon { pixel[3] = 0 }
    }

    private func isFullyTransparent(_ target: UnsafeMutablePointer<UInt8>, _ stride: Int) -> Bool {
        (0..<header.height).allSatisfy { y in
            (0..<header.width).allSatisfy { target[y * stride + 4 * $0 + 3] == 0 }
        }
    }

    /// A file whose alpha is nothing but zeros was written by a program that did not mean it.
    private func makeOpaque(_ target: UnsafeMutablePointer<UInt8>, _ stride: Int) {
        for y in 0..<header.height {
            for x in 0..<header.width { target[y * stride + 4 * x + 3] = 255 }
        }
    }

    /// The mask of an icon: one bit a pixel behind the pixels, 1 where nothing is shown; it may be missing.
    private func applyMask(_ target: UnsafeMutablePointer<UInt8>, _ stride: Int) throws(Failure) {
        let mask = start + (header.width * header.bits + 31) / 32 * 4 * header.height
        let distance = (header.width + 31) / 32 * 4
        let isThere = mask <= bytes.count && distance * header.height <= bytes.count - mask
        for y in 0..<header.height {
            for x in 0..<header.width {
                let isHidden = isThere && bytes.base[mask + y * distance + x / 8] >> (7 - x % 8) & 1 == 1
                target[row(y) * stride + 4 * x + 3] = isHidden ? 0 : 255
            }
        }
    }
}
