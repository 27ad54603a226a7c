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
        for index in 0..<CInt(subsampling.planeCount) {
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
            let used = usedSize(ofPlane: index)
            let view = RasterView(
                base: source, width: used.width, height: used.height, stride: Int(strides[index]), bytesPerPixel: 1)
            view.turn(orientation, into: target, stride: Int(copy.strides[index]))
            copy.pad(index, used.upright(orientation))
        }
        return copy
    }

    /// Makes smaller copies of all planes.
    func reduced(to size: PictureSize) throws(Failure) -> JPEGPlanes {
        let copy = try JPEGPlanes(width: size.width, height: size.height, subsampling: subsampling)
        for index in pointers.indices {
            guard let source = pointers[index], let target = copy.pointers[index] else { continue }
            let (used, reduced) = (usedSize(ofPlane: index), copy.usedSize(ofPlane: index))
            let view = RasterView(
                base: source, width: used.width, height: used.height, stride: Int(strides[index]), bytesPerPixel: 1)
            try view.reduce(to: reduced, into: target, stride: Int(copy.strides[index]))
            copy.pad(index, reduced)
        }
        return copy
    }

    /// What of a plane belongs to the picture: luma is padded to whole chroma samples.
    func usedSize(ofPlane index: Int) -> PictureSize {
        index == 0
            ? PictureSize(width: width, height: height)
            : PictureSize(width: Int(strides[index]), height: heights[index])
    }

    /// Repeats the last column and row, so that no uninitialised memory gets into the picture.
    private func pad(_ index: Int, _ used: PictureSize) {
        guard let base = pointers[index] else { return }
        let stride = Int(strides[index])
        if used.width < stride {
            for y in 0..<used.height {
                let row = base + y * stride
                for x in used.width..<stride { row[x] = row[used.width - 1] }
            }
        }
        guard used.height < heights[index] else { return }
        for y in used.height..<heights[index] {
            (base + y * stride).update(from: base + (used.height - 1) * stride, count: stride)
        }
    }
}

/// Rows as they pass through on their way to the encoder.
extension JPEGPlanes {
    /// The first sample of a row of one plane.
    func row(_ row: Int, of index: Int) -> UnsafeMutablePointer<UInt8>? {
        pointers[index].map { $0 + row * Int(strides[index]) }
    }

    /// How many rows of a plane cover so many rows of the picture.
    func rows(_ count: Int, ofPlane index: Int) -> Int {
        let shift = subsampling.shift(ofPlane: index).y
        return (count + 1 << shift - 1) >> shift
    }

    /// The first samples of rows of the picture, in all planes.
    func rows(from first: Int) -> [UnsafePointer<UInt8>?] {
        pointers.indices.map { UnsafePointer(row(rows(first, ofPlane: $0), of: $0)) }
    }

    /// Moves rows to the top, where more can follow them; no chroma sample reaches over the first of them.
    func moveToTop(from first: Int, count: Int) {
        for index in pointers.indices {
            moveToTop(from: rows(first, ofPlane: index), count: rows(count, ofPlane: index), plane: index)
        }
    }

    /// Moves rows of one plane to its top.
    func moveToTop(from first: Int, count: Int, plane index: Int) {
        guard count > 0, let source = row(first, of: index) else { return }
        pointers[index]?.update(from: source, count: count * Int(strides[index]))
    }

    /// Repeats the last column and the last of these rows where chroma samples reach beyond them.
    func padLuma(rows: Range<Int>) {
        let stride = Int(strides[0])
        guard let first = row(rows.lowerBound, of: 0) else { return }
        for x in width..<max(stride, width) {
            for y in 0..<rows.count { first[y * stride + x] = first[y * stride + width - 1] }
        }
        guard !rows.count.isMultiple(of: subsampling.chromaPixels.rows) else { return }
        (first + rows.count * stride).update(from: first + (rows.count - 1) * stride, count: stride)
    }
}
