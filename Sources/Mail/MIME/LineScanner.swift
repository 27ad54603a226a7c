internal import Glibc

/// Cuts bytes that come in pieces into lines; only a line that a piece ends in is copied.
///
/// A line that is longer than `longestLine` comes in fragments, of which only the first says that a line starts. Inside
/// a body whole lines come many at once, up to the first that may be a boundary.
struct LineScanner {
    /// Enough to recognise a boundary at the start of a line, in bytes.
    static let longestLine = 4_096

    struct Line {
        /// With its line end, where it has one.
        let bytes: UnsafeRawBufferPointer
        let startsLine: Bool
        /// The bytes lie in the scanner, not in the piece: they are gone with the next call.
        let isCopy: Bool

        var endsLine: Bool { bytes.last == 0x0A }
    }

    private let carry = Carry()
    private var isAtStart = true

    /// Takes the next line from the front of `rest`; nil when the piece is used up.
    ///
    /// With `isJoining` whole lines that do not begin with two hyphens come as one.
    mutating func next(from rest: inout UnsafeRawBufferPointer, isJoining: Bool = false) -> Line? {
        guard !rest.isEmpty else { return nil }
        if carry.count > 0 { return completeCarried(from: &rest) }
        if isJoining, isAtStart, let length = Self.lengthOfJoinedLines(rest) {
            return take(length, from: &rest, endsLine: true)
        }
        if let length = Self.lengthOfLine(rest) { return take(length, from: &rest, endsLine: true) }
        if rest.count >= Self.longestLine { return take(rest.count, from: &rest, endsLine: false) }
        carry.append(rest)
        rest = UnsafeRawBufferPointer(start: nil, count: 0)
        return nil
    }

    /// The last line, which has no line end.
    mutating func last() -> Line? { carry.count > 0 ? sendCarried(endsLine: false) : nil }

    private mutating func take(_ length: Int, from rest: inout UnsafeRawBufferPointer, endsLine: Bool) -> Line {
        let line = Line(
            bytes: UnsafeRawBufferPointer(rebasing: rest[..<length]), startsLine: isAtStart, isCopy: false)
        rest = UnsafeRawBufferPointer(rebasing: rest[length...])
        isAtStart = endsLine
        return line
    }

    private mutating func completeCarried(from rest: inout UnsafeRawBufferPointer) -> Line? {
        let head = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.longestLine - carry.count))
        let length = Self.lengthOfLine(head)
        carry.append(UnsafeRawBufferPointer(rebasing: head.prefix(length ?? head.count)))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length ?? head.count))
        guard length != nil || carry.count == Self.longestLine else { return nil }
        return sendCarried(endsLine: length != nil)
    }

    private mutating func sendCarried(endsLine: Bool) -> Line {
        let line = Line(bytes: carry.take(), startsLine: isAtStart, isCopy: true)
        isAtStart = endsLine
        return line
    }

    /// Bytes up to and with the first LF; nil where there is none.
    private static func lengthOfLine(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress, let end = memchr(base, 0x0A, bytes.count) else { return nil }
        return UnsafeRawPointer(end) - base + 1
    }

    /// Bytes of the whole lines in front of the first that begins with two hyphens; nil where there are none.
    ///
    /// Hyphens are rarer than line ends, and base64 has none at all.
    private static func lengthOfJoinedLines(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var end = bytes.count
        var position = 0
        while let found = memchr(base + position, CInt(hyphen), bytes.count - position) {
            let place = UnsafeRawPointer(found) - base
            position = place + 1
            // A single hyphen at the end of the piece may be the first of two.
            if place == 0 || bytes[place - 1] == 0x0A, position == bytes.count || bytes[position] == hyphen {
                end = place
                break
            }
        }
        while end > 0, bytes[end - 1] != 0x0A { end -= 1 }
        return end > 0 ? end : nil
    }

    private static let hyphen = UInt8(ascii: "-")

    /// The start of a line whose rest comes with the next piece.
    private final class Carry {
        private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: longestLine, alignment: 1)
        private(set) var count = 0

        deinit { memory.deallocate() }

        /// The caller sees to it that the bytes fit.
        func append(_ bytes: UnsafeRawBufferPointer) {
            precondition(bytes.count <= memory.count - count)
            UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
            count += bytes.count
        }

        /// Empties the carry; the bytes stay readable until the next `append`.
        func take() -> UnsafeRawBufferPointer {
            defer { count = 0 }
            return UnsafeRawBufferPointer(rebasing: memory[..<count])
        }
    }
}
