/// Neighbouring body lines, handed on as one stretch.
///
/// The last line end is held back, since the one before a boundary belongs to the boundary (RFC 2046 section 5.1.1).
struct BodyRun {
    private var bytes: UnsafeRawBufferPointer?
    /// The line end that was held back when the stretch went out.
    private var held = LineEnd.none

    private enum LineEnd {
        case none, lineFeed, both
    }

    /// Appends a line where it lies right behind the others; false where the stretch has to go out first.
    mutating func extend(by line: UnsafeRawBufferPointer) -> Bool {
        guard let start = line.baseAddress else { return true }
        guard let bytes, let base = bytes.baseAddress else {
            guard held == .none else { return false }
            self.bytes = line
            return true
        }
        guard base + bytes.count == start else { return false }
        self.bytes = UnsafeRawBufferPointer(start: base, count: bytes.count + line.count)
        return true
    }

    /// Takes the stretch without its last line end.
    mutating func takeAllButLineEnd() -> UnsafeRawBufferPointer? {
        guard let bytes else { return nil }
        self.bytes = nil
        var end = bytes.count
        held = .none
        if end > 0, bytes[end - 1] == 0x0A { (held, end) = (.lineFeed, end - 1) }
        if held == .lineFeed, end > 0, bytes[end - 1] == 0x0D { (held, end) = (.both, end - 1) }
        return UnsafeRawBufferPointer(rebasing: bytes[..<end])
    }

    /// The body goes on: the line end belongs to it.
    mutating func takeHeldLineEnd() -> [UInt8] {
        defer { held = .none }
        return switch held {
        case .none: []
        case .lineFeed: [0x0A]
        case .both: [0x0D, 0x0A]
        }
    }
}
