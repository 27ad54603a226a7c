import CTurboJPEG
import DecoderProtocol
import Glibc

/// Owns the luma and chroma planes of a picture, padded as TurboJPEG reads them.
final class JPEGPlanes {
    let width: Int
    let height: Int
    let subsampling: TJSAMP
    let pointers: [UnsafeMutablePointer<UInt8>?]
    let strides: [CInt]
    private let heights: [Int]

    init(width: Int, height: Int, subsampling: TJSAMP) throws(Failure) {
        (self.width, self.height, self.subsampling) = (width, height, subsampling)
        var (pointers, strides, heights): ([UnsafeMutablePointer<UInt8>?], [CInt], [Int]) = ([], [], [])
        for index in 0..<(subsampling == TJSAMP_GRAY ? CInt(1) : 3) {
            let planeWidth = tjPlaneWidth(index, CInt(width), CInt(subsampling.rawValue))
            let planeHeight = tjPlaneHeight(index, CInt(height), CInt(subsampling.rawValue))
            guard planeWidth > 0, planeHeight > 0, let memory = malloc(Int(planeWidth) * Int(planeHeight)) else {
                for pointer in pointers { free(pointer) }
                throw Failure(.tooLarge, "no memory for \(width) x \(height) pixels")
            }
            pointers.append(memory.assumingMemoryBound(to: UInt8.self))
            strides.append(planeWidth)
            heights.append(Int(planeHeight))
        }
        (self.pointers, self.strides, self.heights) = (pointers, strides, heights)
    }

    deinit { for pointer in pointers { free(pointer) } }

    /// Makes upright copies of all planes.
    func upright(_ orientation: Orientation, subsampling turned: TJSAMP) throws(Failure) -> JPEGPlanes {
        let size = orientation.upright(width: width, height: height)
        let copy = try JPEGPlanes(width: size.width, height: size.height, subsampling: turned)
        for index in pointers.indices {
            guard let source = pointers[index], let target = copy.pointers[index] else { continue }
            // The luma plane is padded; a mirror image must not begin with the padding.
            let planeWidth = index == 0 ? width : Int(strides[index])
            let planeHeight = index == 0 ? height : heights[index]
            let view = RasterView(
                base: source, width: planeWidth, height: planeHeight, stride: Int(strides[index]), bytesPerPixel: 1)
            view.turn(orientation, into: target, stride: Int(copy.strides[index]))
            let used = orientation.upright(width: planeWidth, height: planeHeight)
            copy.pad(index, usedWidth: used.width, usedHeight: used.height)
        }
        return copy
    }

    /// Repeats the last column and row, so that no uninitialised memory gets into the picture.
    private func pad(_ index: Int, usedWidth: Int, usedHeight: Int) {
        guard let base = pointers[index] else { return }
        let stride = Int(strides[index])
        if usedWidth < stride {
            for y in 0..<usedHeight {
                let row = base + y * stride
                for x in usedWidth..<stride { row[x] = row[usedWidth - 1] }
            }
        }
        guard usedHeight < heights[index] else { return }
        for y in usedHeight..<heights[index] {
            (base + y * stride).update(from: base + (usedHeight - 1) * stride, count: stride)
        }
    }
}

/// Rows as they pass through on their way to the encoder.
extension JPEGPlanes {
    /// The first sample of a row of one plane.
    func row(_ row: Int, of index: Int) -> UnsafeMutablePointer<UInt8>? {
        pointers[index].map { $0 + row * Int(strides[index]) }
    }

    /// Moves rows to the top, where more can follow them; the first of them has an even number.
    func moveToTop(from first: Int, count: Int) {
        for index in pointers.indices {
            let shift = index == 0 ? 0 : 1
            guard let source = row(first >> shift, of: index) else { continue }
            pointers[index]?.update(from: source, count: (count + shift) >> shift * Int(strides[index]))
        }
    }

    /// Repeats the last column and the last of these rows where their number is odd: a chroma sample covers both.
    func padLuma(rows: Range<Int>) {
        let stride = Int(strides[0])
        guard let first = row(rows.lowerBound, of: 0) else { return }
        if stride > width {
            for y in 0..<rows.count { first[y * stride + width] = first[y * stride + width - 1] }
        }
        guard !rows.count.isMultiple(of: 2) else { return }
        (first + rows.count * stride).update(from: first + (rows.count - 1) * stride, count: stride)
    }

    /// Brings samples of the limited range to the full one.
    func stretchLevels(rows: Range<Int>) {
        for index in pointers.indices {
            let shift = index == 0 ? 0 : 1
            let count = (rows.count + shift) >> shift * Int(strides[index])
            let samples = UnsafeMutableBufferPointer(start: row(rows.lowerBound >> shift, of: index), count: count)
            (index == 0 ? LevelTable.luma : LevelTable.chroma).apply(to: samples)
        }
    }
}
