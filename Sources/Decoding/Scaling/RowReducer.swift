import DecoderProtocol

/// Makes a picture or a plane smaller, row by row: each pixel becomes the mean of the area that it covers.
///
/// The factor need not be whole: a pixel at the edge of an area counts in proportion. Weights are parts of 256.
final class RowReducer {
    private let source: PictureSize
    private let target: PictureSize
    private let channels: Int
    private let columns: ColumnWeights
    private let sums: UnsafeMutablePointer<UInt16>
    private var isFresh = true
    /// How many rows came in.
    private var rowsIn = 0
    /// How many rows are finished.
    private(set) var rowsOut = 0

    /// - Throws: `.internalFault` for a target that is larger than the source.
    init(_ source: PictureSize, to target: PictureSize, channels: Int) throws(Failure) {
        guard target.width > 0, target.height > 0, target.width <= source.width, target.height <= source.height else {
            throw Failure(.internalFault, "\(target.width) x \(target.height) pixels are not smaller")
        }
        (self.source, self.target, self.channels) = (source, target, channels)
        columns = ColumnWeights(source.width, to: target.width)
        sums = .allocate(capacity: source.width * channels)
    }

    deinit { sums.deallocate() }

    /// Takes the next row; `destination` says where a finished one goes, which may be the memory of earlier rows.
    func add(_ row: UnsafePointer<UInt8>, _ destination: () -> UnsafeMutablePointer<UInt8>?) {
        // In units of 1 / (source height * target height), rows and areas have whole ends.
        let start = rowsIn * target.height
        let (end, boundary) = (start + target.height, (rowsOut + 1) * source.height)
        rowsIn += 1
        accumulate(row, weight(from: start, to: min(end, boundary)))
        guard end >= boundary, rowsOut < target.height else { return }
        if let place = destination() { columns.average(sums, channels, into: place) }
        rowsOut += 1
        isFresh = true
        if end > boundary { accumulate(row, weight(from: boundary, to: end)) }
    }

    /// Differences of rounded positions, so that the weights of an area add up to 256 exactly.
    private func weight(from start: Int, to end: Int) -> UInt16 {
        let origin = rowsOut * source.height
        func position(_ place: Int) -> Int { ((place - origin) * 256 + source.height / 2) / source.height }
        return UInt16(truncatingIfNeeded: position(end) - position(start))
    }

    private func accumulate(_ row: UnsafePointer<UInt8>, _ weight: UInt16) {
        let count = source.width * channels
        if isFresh {
            for x in 0..<count { sums[x] = weight &* UInt16(truncatingIfNeeded: row[x]) }
        } else {
            for x in 0..<count { sums[x] &+= weight &* UInt16(truncatingIfNeeded: row[x]) }
        }
        isFresh = false
    }
}

/// How much each column of the source counts in each column of the target.
private struct ColumnWeights {
    private struct Area {
        let first: Int
        let weights: Range<Int>
    }

    private let areas: [Area]
    private let weights: [UInt16]
    private let isHalf: Bool

    init(_ source: Int, to target: Int) {
        var (areas, weights): ([Area], [UInt16]) = ([], [])
        for column in 0..<target {
            let (start, end) = (column * source, (column + 1) * source)
            let (first, last) = (start / target, (end - 1) / target)
            func position(_ x: Int) -> Int {
                ((min(max(x * target, start), end) - start) * 256 + source / 2) / source
            }
            let begin = weights.count
            for x in first...last { weights.append(UInt16(position(x + 1) - position(x))) }
            areas.append(Area(first: first, weights: begin..<weights.count))
        }
        (self.areas, self.weights) = (areas, weights)
        isHalf = source == 2 * target
    }

    func average(_ sums: UnsafePointer<UInt16>, _ channels: Int, into target: UnsafeMutablePointer<UInt8>) {
        // The one case that a photo of 200 megapixels meets; rows have weights of 128 then.
        guard !isHalf || channels != 1 else { return halve(sums, into: target) }
        weights.withUnsafeBufferPointer { weights in
            for (column, area) in areas.enumerated() {
                for channel in 0..<channels {
                    var sum: UInt32 = 32_768
                    var source = area.first * channels + channel
                    for index in area.weights {
                        sum &+= UInt32(sums[source]) &* UInt32(weights[index])
                        source += channels
                    }
                    target[column * channels + channel] = UInt8(truncatingIfNeeded: sum >> 16)
                }
            }
        }
    }

    private func halve(_ sums: UnsafePointer<UInt16>, into target: UnsafeMutablePointer<UInt8>) {
        for x in 0..<areas.count {
            let (left, right) = (UInt32(sums[2 &* x]), UInt32(sums[2 &* x &+ 1]))
            target[x] = UInt8(truncatingIfNeeded: (left &+ right &+ 256) >> 9)
        }
    }
}
