/// Appends the fields of a payload, integers little-endian, texts and runs of bytes with a 16-bit length before them.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ number: UInt32) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a text of at most 65,535 bytes; callers bound theirs far below.
    mutating func append(_ text: String) { append(Array(text.prefix(bytes: Int(UInt16.max)).utf8)) }

    /// Appends at most 65,535 bytes; callers bound theirs far below.
    mutating func append(_ run: [UInt8]) {
        let run = run.prefix(Int(UInt16.max))
        bytes.append(UInt8(truncatingIfNeeded: run.count))
        bytes.append(UInt8(truncatingIfNeeded: run.count >> 8))
        bytes.append(contentsOf: run)
    }

    /// Appends a text with a 32-bit length before it.
    mutating func append(long text: String) {
        append(UInt32(clamping: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends bytes as they are, without a length.
    mutating func append(raw more: [UInt8]) { bytes.append(contentsOf: more) }
}

/// Takes the fields of a payload one after another and never reads past its end.
struct FieldReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(FrameError) -> UInt8 {
        guard position < bytes.count else { throw .malformed }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func integer() throws(FrameError) -> UInt32 {
        var number: UInt32 = 0
        for shift in stride(from: UInt32(0), to: 32, by: 8) { number |= UInt32(try byte()) << shift }
        return number
    }

    mutating func text(upTo limit: Int) throws(FrameError) -> String {
        String(decoding: try bytes(upTo: limit), as: UTF8.self)
    }

    mutating func bytes(upTo limit: Int) throws(FrameError) -> [UInt8] {
        let count = Int(try byte()) | Int(try byte()) << 8
        return try run(of: count, upTo: limit)
    }

    /// Reads a text with a 32-bit length before it.
    mutating func longText(upTo limit: Int) throws(FrameError) -> String {
        let count = Int(try integer())
        return String(decoding: try run(of: count, upTo: limit), as: UTF8.self)
    }

    private mutating func run(of count: Int, upTo limit: Int) throws(FrameError) -> [UInt8] {
        guard count <= limit, count <= bytes.count - position else { throw .malformed }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }
}

extension String {
    /// As many whole characters as fit into so many UTF-8 bytes.
    func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = startIndex
        var room = limit
        while end < endIndex {
            room -= self[end].utf8.count
            guard room >= 0 else { break }
            formIndex(after: &end)
        }
        return String(self[..<end])
    }
}
