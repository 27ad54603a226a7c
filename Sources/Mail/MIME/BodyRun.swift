/// Neighbouring body lines, handed on as one stretch.
///
/// The last line end is held back, since the one before a boundary belongs to the boundary (RFC 2046 section 5.1.1).
struct BodyRun {
    private var bytes: UnsafeRawBufferPointer?
    /// The line end that was held back when the stretch went out.
    private var held: [UInt8] = []

    /// Appends a line where it lies right behind the others; false where the stretch has to go out first.
    mutating func extend(by line: UnsafeRawBufferPointer) -> Bool {
        guard let start = line.baseAddress else { return true }
        guard let bytes, let base = bytes.baseAddress else {
            guard held.isEmpty else { return false }
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
        if end > 0, bytes[end - 1] == 0x0A { end -= 1 }
        if end < bytes.count, end > 0, bytes[end - 1] == 0x0D { end -= 1 }
        held = Array(bytes[end...])
        return UnsafeRawBufferPointer(rebasing: bytes[..<end])
    }

    /// The body goes on: the line end belongs to it.
    mutating func takeHeldLineEnd() -> [UInt8] {
        defer { held = [] }
        return held
    }
}
