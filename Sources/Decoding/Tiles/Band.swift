import CTurboJPEG
import DecoderProtocol

/// Rows of the upright picture between decoder and encoder: tiles go in side by side, strips come out at the top.
final class Band {
    private let width: Int
    private let plan: TilePlan
    private let planes: JPEGPlanes
    /// Takes the rows of one strip when they are made smaller on the way.
    private let reduced: JPEGPlanes?
    private let sums: UnsafeMutablePointer<UInt16>
    /// How many rows are full.
    private var rows = 0

    private var stripHeight: Int { JPEGStrips.height * plan.reduction }

    /// Makes room for rows of the upright picture, of which `partHeight` come at once at most.
    init(_ width: Int, _ plan: TilePlan, partHeight: Int) throws(Failure) {
        (self.width, self.plan) = (width, plan)
        let height = partHeight + JPEGStrips.height * plan.reduction
        planes = try JPEGPlanes(width: width, height: height, subsampling: TJSAMP_420)
        reduced =
            plan.reduction == 1
            ? nil
            : try JPEGPlanes(
                width: (width + plan.reduction - 1) / plan.reduction, height: JPEGStrips.height,
                subsampling: TJSAMP_420)
        sums = UnsafeMutablePointer.allocate(capacity: plan.reduction == 1 ? 0 : width)
    }

    deinit { sums.deallocate() }

    /// Copies a part of a tile behind the full rows, upright.
    func place(_ image: HEVCImage, _ part: TileLayout.Part) throws(Failure) {
        for index in 0..<3 {
            let shift = index == 0 ? 0 : 1
            let source = try image.plane(index).part(
                columns: part.columns.halved(shift), rows: part.rows.halved(shift))
            guard let target = planes.row(rows >> shift, of: index) else { continue }
            source.turn(plan.orientation, into: target + (part.x >> shift), stride: Int(planes.strides[index]))
        }
    }

    /// Counts rows as full.
    func advance(by count: Int) { rows += count }

    /// Hands over all full strips and keeps the rest.
    func drain(into strips: inout JPEGStrips) throws(Failure) {
        var top = 0
        while rows - top >= stripHeight {
            try emit(top, stripHeight, into: &strips)
            top += stripHeight
        }
        guard top > 0 else { return }
        rows -= top
        planes.moveToTop(from: top, count: rows)
    }

    /// Hands over what is left at the bottom of the picture.
    func finish(into strips: inout JPEGStrips) throws(Failure) {
        if rows > 0 { try emit(0, rows, into: &strips) }
        rows = 0
    }

    private func emit(_ top: Int, _ count: Int, into strips: inout JPEGStrips) throws(Failure) {
        guard let reduced else { return try encode(planes, top, count, into: &strips) }
        for index in 0..<3 {
            let shift = index == 0 ? 0 : 1
            guard let source = planes.row(top >> shift, of: index), let target = reduced.row(0, of: index) else {
                continue
            }
            let view = RasterView(
                base: source, width: (width + shift) >> shift, height: (count + shift) >> shift,
                stride: Int(planes.strides[index]), bytesPerPixel: 1)
            BoxAverage.reduce(
                view, by: plan.reduction, into: target, stride: Int(reduced.strides[index]), sums: sums)
        }
        try encode(reduced, 0, (count + plan.reduction - 1) / plan.reduction, into: &strips)
    }

    private func encode(
        _ planes: JPEGPlanes, _ top: Int, _ count: Int, into strips: inout JPEGStrips
    ) throws(Failure) {
        planes.padLuma(rows: top..<top + count)
        if !plan.isFullRange { planes.stretchLevels(rows: top..<top + count) }
        let pointers = (0..<3).map { UnsafePointer(planes.row(top >> ($0 == 0 ? 0 : 1), of: $0)) }
        try strips.append(pointers, strides: planes.strides, rows: count)
    }
}

extension Range<Int> {
    /// The same range of a plane with half as many samples, if `shift` is 1.
    fileprivate func halved(_ shift: Int) -> Range<Int> { lowerBound >> shift..<(upperBound + shift) >> shift }
}
