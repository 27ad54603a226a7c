import CTurboJPEG
import DecoderProtocol

/// Rows of the upright picture between decoder and encoder: tiles go in side by side, strips come out at the top.
final class Band {
    private let plan: TilePlan
    private let planes: JPEGPlanes
    /// Makes rows smaller on the way.
    private let reducer: BandReducer?
    /// How many rows are full.
    private var rows = 0

    /// Makes room for rows of the upright picture, of which `partHeight` come at once at most.
    init(_ layout: TileLayout, _ plan: TilePlan) throws(Failure) {
        self.plan = plan
        planes = try JPEGPlanes(
            width: layout.upright.width, height: layout.maximumHeight + JPEGStrips.height,
            subsampling: layout.subsampling)
        reducer = plan.finish.size == nil ? nil : try BandReducer(layout)
    }

    /// Copies a part of a tile behind the full rows, upright.
    func place(_ image: HEVCImage, _ part: TileLayout.Part) throws(Failure) {
        for index in planes.pointers.indices {
            let shift = plan.chroma.subsampling.shift(ofPlane: index)
            let source = try image.plane(index).part(
                columns: part.columns.shifted(shift.x), rows: part.rows.shifted(shift.y))
            let levels = try LevelTable(
                bits: image.bits(ofPlane: index), isFullRange: plan.isFullRange, isLuma: index == 0)
            guard let levels else {
                turn(source, index, part)
                continue
            }
            try levels.applied(to: source).withView { turn($0, index, part) }
        }
    }

    private func turn(_ source: RasterView, _ index: Int, _ part: TileLayout.Part) {
        let shift = planes.subsampling.shift(ofPlane: index)
        guard let target = planes.row(rows >> shift.y, of: index) else { return }
        source.turn(plan.orientation, into: target + (part.x >> shift.x), stride: Int(planes.strides[index]))
    }

    /// Counts rows as full.
    func advance(by count: Int) { rows += count }

    /// Hands over what can be encoded and keeps the rest.
    func drain(into strips: inout JPEGStrips) throws(Failure) {
        let unit = reducer == nil ? JPEGStrips.height : planes.subsampling.chromaPixels.rows
        let full = rows - rows % unit
        try emit(full, into: &strips)
        guard full > 0 else { return }
        rows -= full
        planes.moveToTop(from: full, count: rows)
    }

    /// Hands over what is left at the bottom of the picture.
    func finish(into strips: inout JPEGStrips) throws(Failure) {
        try emit(rows, into: &strips)
        rows = 0
        try reducer?.finish(into: &strips)
    }

    private func emit(_ count: Int, into strips: inout JPEGStrips) throws(Failure) {
        if let reducer { return try reducer.add(planes, rows: count, into: &strips) }
        for top in stride(from: 0, to: count, by: JPEGStrips.height) {
            try strips.append(planes, top..<min(top + JPEGStrips.height, count))
        }
    }
}

extension Range<Int> {
    /// The same range of a plane with fewer samples.
    fileprivate func shifted(_ shift: Int) -> Range<Int> {
        lowerBound >> shift..<(upperBound + 1 << shift - 1) >> shift
    }
}
