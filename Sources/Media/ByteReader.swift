/// A file breaks the rules of its format, or our limits.
struct Malformed: Error, Hashable {
    let what: String
    let isOverLimit: Bool

    init(_ what: String, isOverLimit: Bool = false) { (self.what, self.isOverLimit) = (what, isOverLimit) }

    /// Built larger than any program writes it.
    static func tooMuch(_ what: String) -> Malformed { Malformed(what, isOverLimit: true) }
}

/// Takes numbers and pieces from bytes, one after another, and never reads past the end.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    /// The index of the next byte in the array that the slice is of.
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - position }
    var rest: ArraySlice<UInt8> { bytes[position...] }

    /// A big-endian number of up to 8 bytes.
    mutating func big(_ count: Int) throws(Malformed) -> Int {
        var number: UInt64 = 0
        for byte in try take(count) { number = number << 8 | UInt64(byte) }
        guard let number = Int(exactly: number) else { throw Malformed("a number is too large") }
        return number
    }

    /// A little-endian number of up to 8 bytes.
    mutating func little(_ count: Int) throws(Malformed) -> Int {
        let number = try take(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: number) else { throw Malformed("a number is too large") }
        return number
    }

    /// A four-character code; it may end up in a message, so that anything but printable ASCII becomes a question mark.
    mutating func code() throws(Malformed) -> String {
        String(decoding: try take(4).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    @discardableResult
    mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw Malformed("it ends too early") }
        defer { position += count }
        return bytes[position..<position + count]
    }
}

extension ArraySlice<UInt8> {
    func starts(with text: String) -> Bool { starts(with: text.utf8) }
}
