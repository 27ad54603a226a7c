import DecoderProtocol

/// The run-length coding of bitmaps: pairs of a count and a colour, and four escapes.
struct BitmapRuns {
    private enum Escape {
        static let endOfLine = 0
        static let endOfBitmap = 1
        static let move = 2
    }

    private let bytes: LittleEndianBytes
    private var position: Int
    /// Two colours in a byte.
    private let isShort: Bool
    private var (x, y) = (0, 0)

    init(_ bytes: LittleEndianBytes, from start: Int, isShort: Bool) {
        (self.bytes, position, self.isShort) = (bytes, start, isShort)
    }

    /// Calls `put` with column, row from the bottom and colour of each coded pixel, which may lie outside.
    ///
    /// Every byte puts at most 255 pixels, so that the work is bounded by the file.
    /// - Throws: `.damaged` when the end is missing.
    mutating func read(_ put: (Int, Int, Int) -> Void) throws(Failure) {
        while true {
            let (count, value) = (try next(), try next())
            guard count == 0 else {
                for index in 0..<count { emit(color(index, in: value), put) }
                continue
            }
            switch value {
            case Escape.endOfLine: (x, y) = (0, y + 1)
            case Escape.endOfBitmap: return
            case Escape.move:
                x += try next()
                y += try next()
            default: try readPixels(value, put)
            }
        }
    }

    /// Pixels that are not a run; they end at a whole word.
    private mutating func readPixels(_ count: Int, _ put: (Int, Int, Int) -> Void) throws(Failure) {
        let length = isShort ? (count + 1) / 2 : count
        try bytes.check(position, length)
        for index in 0..<count {
            emit(color(index, in: Int(bytes.base[position + (isShort ? index / 2 : index)])), put)
        }
        position += length + length % 2
    }

    private func color(_ index: Int, in value: Int) -> Int {
        guard isShort else { return value }
        return index.isMultiple(of: 2) ? value >> 4 : value & 15
    }

    private mutating func emit(_ color: Int, _ put: (Int, Int, Int) -> Void) {
        put(x, y, color)
        x += 1
    }

    private mutating func next() throws(Failure) -> Int {
        defer { position += 1 }
        return Int(try bytes.number(at: position, 1))
    }
}
