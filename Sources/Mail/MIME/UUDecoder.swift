/// Decodes a whole uuencoded body in pieces, from its `begin` line to its `end`.
struct UUBodyDecoder {
    private var scanner = LineScanner()
    private var isInside = false
    private var hasLost = false

    /// How the content came, of a part that came like `arrival`: lines between `begin` and `end` may make no sense, and
    /// what lies behind the last `begin` may have no `end`.
    func arrival(in arrival: Arrival) -> Arrival { isInside ? .cut : hasLost ? .damaged : arrival }

    mutating func decode(_ input: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        var rest = input
        while let line = scanner.next(from: &rest) { take(line, isWhole: true, &output) }
    }

    mutating func finish(into output: inout [UInt8]) {
        if let line = scanner.last() { take(line, isWhole: false, &output) }
    }

    private mutating func take(_ line: LineScanner.Line, isWhole: Bool, _ output: inout [UInt8]) {
        let content = UnsafeRawBufferPointer(rebasing: line.bytes.prefix { $0 != 0x0A && $0 != 0x0D })
        if !isInside {
            isInside = UUDecoder.nameOfBegin(content) != nil
        } else if UUDecoder.isEnd(content) {
            isInside = false
        } else if let data = UUDecoder.decode(content, isWhole: isWhole) {
            output += data
        } else if !content.isEmpty {
            hasLost = true
        }
    }
}

/// Decodes the lines between `begin` and `end` of uuencode (POSIX, `uuencode` utility).
enum UUDecoder {
    /// The file name of a line `begin 644 name`, or nil for any other line.
    static func nameOfBegin(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
        guard line.count > 10, line.count < 1_000, line.starts(with: "begin ".utf8) else { return nil }
        let mode = line[6...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
        guard (3...4).contains(mode.count), mode.endIndex < line.count, line[mode.endIndex] == UInt8(ascii: " ")
        else { return nil }
        let name = Array(line[(mode.endIndex + 1)...])
        return name.isEmpty ? nil : name
    }

    static func isEnd(_ line: UnsafeRawBufferPointer) -> Bool { line.elementsEqual("end".utf8) }

    /// The bytes of one line, or nil where this is no line of uuencode.
    ///
    /// A line of length 0 is the last before `end`. One that is not `isWhole` has no line end: what it lacks was cut off.
    static func decode(_ line: UnsafeRawBufferPointer, isWhole: Bool = true) -> [UInt8]? {
        guard let first = line.first, let length = value(first) else { return nil }
        let characters = line.dropFirst()
        // Mail programs cut trailing blanks, which stand for zero bits; some append a checksum.
        let due = (Int(length) + 2) / 3 * 4
        guard characters.count <= due + 2, isWhole || characters.count >= due else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(length) + 3)
        var position = characters.startIndex
        while bytes.count < Int(length) {
            var group: UInt32 = 0
            for _ in 0..<4 {
                let character = position < characters.endIndex ? characters[position] : UInt8(ascii: " ")
                guard let bits = value(character) else { return nil }
                group = group << 6 | UInt32(bits)
                position += 1
            }
            bytes += [UInt8(group >> 16 & 0xFF), UInt8(group >> 8 & 0xFF), UInt8(group & 0xFF)]
        }
        bytes.removeLast(bytes.count - Int(length))
        return bytes
    }

    private static func value(_ character: UInt8) -> UInt8? {
        (UInt8(ascii: " ")...UInt8(ascii: "`")).contains(character) ? (character - 32) & 63 : nil
    }
}
