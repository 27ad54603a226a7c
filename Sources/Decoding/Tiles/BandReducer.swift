import CTurboJPEG
import DecoderProtocol

/// Makes rows of a band smaller, plane by plane, and hands them on in strips.
final class BandReducer {
    /// Chroma may be finished a little earlier or later than the luma beside it.
    private static let slack = 8

    private let planes: JPEGPlanes
    private let reducers: [RowReducer]
    /// Rows in `planes` that are finished and not encoded yet.
    private var filled: [Int]
    private var rowsLeft: Int

    /// The smaller picture has `layout.output` pixels.
    init(_ layout: TileLayout) throws(Failure) {
        let (subsampling, from, to) = (layout.subsampling, layout.upright, layout.output)
        planes = try JPEGPlanes(width: to.width, height: JPEGStrips.height + Self.slack, subsampling: subsampling)
        rowsLeft = to.height
        filled = planes.pointers.map { _ in 0 }
        reducers = try planes.pointers.indices.map { (index) throws(Failure) in
            try RowReducer(
                from.plane(index, subsampling), to: to.plane(index, subsampling), channels: 1)
        }
    }

    /// Takes rows from the top of a band; only the last ones of the picture need not be whole chroma samples.
    func add(_ band: JPEGPlanes, rows: Int, into strips: inout JPEGStrips) throws(Failure) {
        let unit = band.subsampling.chromaPixels.rows
        for top in stride(from: 0, to: rows, by: unit) {
            let count = min(unit, rows - top)
            for index in reducers.indices {
                let first = band.rows(top, ofPlane: index)
                for row in first..<first + band.rows(count, ofPlane: index) { add(band.row(row, of: index), index) }
            }
            try drain(into: &strips)
        }
    }

    /// Hands over the last rows.
    func finish(into strips: inout JPEGStrips) throws(Failure) {
        if rowsLeft > 0 { try encode(rowsLeft, into: &strips) }
    }

    private func add(_ row: UnsafeMutablePointer<UInt8>?, _ index: Int) {
        guard let row else { return }
        let before = reducers[index].rowsOut
        reducers[index].add(row) { planes.row(filled[index], of: index) }
        filled[index] += reducers[index].rowsOut - before
    }

    private func drain(into strips: inout JPEGStrips) throws(Failure) {
        let height = JPEGStrips.height
        let isFull = filled.indices.allSatisfy { filled[$0] >= planes.rows(height, ofPlane: $0) }
        if isFull, rowsLeft > height { try encode(height, into: &strips) }
    }

    private func encode(_ count: Int, into strips: inout JPEGStrips) throws(Failure) {
        try strips.append(planes, 0..<count)
        rowsLeft -= count
        for index in filled.indices {
            let taken = min(planes.rows(count, ofPlane: index), filled[index])
            filled[index] -= taken
            planes.moveToTop(from: taken, count: filled[index], plane: index)
        }
    }
}

extension PictureSize {
    /// The size of one plane.
    fileprivate func plane(_ index: Int, _ subsampling: TJSAMP) -> PictureSize {
        let shift = subsampling.shift(ofPlane: index)
        return PictureSize(width: (width + 1 << shift.x - 1) >> shift.x, height: (height + 1 << shift.y - 1) >> shift.y)
    }
}
