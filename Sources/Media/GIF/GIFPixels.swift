/// Counts the pixels in the compressed data of a GIF frame (GIF89a, appendix F) without making them.
///
/// That is enough to tell whether the data is whole, and takes no memory: of every string in the code table only the
/// length is kept.
struct GIFPixels {
    private static let maximumCode = 4096

    private let clearCode: Int
    private let firstSize: Int
    /// The length of the string behind each code.
    private var lengths: [Int]
    private var next: Int
    private var size: Int
    private var previous: Int?
    private var bits = 0
    private var bitCount = 0
    private var hasEnded = false

    /// How many pixels the data has given so far.
    private(set) var count = 0

    /// Begins a frame; the code size is the byte before its data: 2 to 8, and 1 in old two-coloured files.
    init(minimumCodeSize: Int) throws(Malformed) {
        guard (1...8).contains(minimumCodeSize) else { throw Malformed("the pixels of a frame are unreadable") }
        clearCode = 1 << minimumCodeSize
        firstSize = minimumCodeSize + 1
        lengths = [Int](repeating: 1, count: Self.maximumCode)
        (next, size) = (clearCode + 2, firstSize)
    }

    /// Reads one sub-block; what follows the end code is padding.
    mutating func read(_ block: ArraySlice<UInt8>) throws(Malformed) {
        for byte in block where !hasEnded {
            bits |= Int(byte) << bitCount
            bitCount += 8
            while bitCount >= size, !hasEnded {
                let code = bits & (1 << size - 1)
                bits >>= size
                bitCount -= size
                try take(code)
            }
        }
    }

    private mutating func take(_ code: Int) throws(Malformed) {
        if code == clearCode {
            (next, size, previous) = (clearCode + 2, firstSize, nil)
        } else if code == clearCode + 1 {
            hasEnded = true
        } else if let previous {
            guard code <= next else { throw Malformed("the pixels of a frame are unreadable") }
            if next < Self.maximumCode {
                lengths[next] = lengths[previous] + 1
                next += 1
                if next == 1 << size, size < 12 { size += 1 }
            }
            count += lengths[code]
            self.previous = code
        } else {
            guard code < clearCode else { throw Malformed("the pixels of a frame are unreadable") }
            count += 1
            previous = code
        }
    }
}
