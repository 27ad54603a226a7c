/// The header of a message or of a part: its fields in order, unfolded, not yet decoded (RFC 5322 section 2.2).
struct HeaderBlock: Sendable {
    struct Field: Sendable {
        /// In lower case.
        let name: String
        /// Without line ends and outer white space; 8-bit bytes as they came.
        let value: [UInt8]
    }

    let fields: [Field]
    /// `Content-Type`; of several the one behind which a picture may be: a multipart, else a picture, else the first.
    let contentType: MIMEValue
    /// What raw 8-bit bytes of this header are likely to be: the first charset that the header names itself.
    let charsetHint: String?

    /// Reads the lines of a header, without their line ends.
    init(lines: [ArraySlice<UInt8>] = []) {
        var reader = FieldReader()
        for line in lines { line.withUnsafeBytes { reader.take($0, colon: Self.colon(of: $0)) } }
        self.init(fields: reader.finish())
    }

    init(fields: [Field]) {
        self.fields = fields
        contentType = Self.contentType(of: fields)
        charsetHint =
            fields.lazy.compactMap { EncodedWords.firstCharset(in: $0.value) }.first
            ?? contentType.parameter("charset")
    }

    /// Reads a block of bytes, with or without the empty line behind it.
    init(block: [UInt8]) {
        let lines = block.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        self.init(lines: lines.map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 })
    }

    private static func contentType(of fields: [Field]) -> MIMEValue {
        let types = fields.filter { $0.name == "content-type" }.prefix(10).map { MIMEValue($0.value) }
        return types.first { $0.value.hasPrefix("multipart/") } ?? types.first { $0.value.hasPrefix("image/") }
            ?? types.first ?? MIMEValue([])
    }

    /// Where the field name of a line ends; nil where the line is no field.
    static func colon(of line: UnsafeRawBufferPointer) -> Int? {
        guard let colon = line.prefix(1_000).firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var isInName = false
        var isOver = false
        for byte in line[..<colon] {
            let isBlank = byte <= 0x20
            guard byte < 0x7F, !isOver || isBlank else { return nil }
            isOver = isInName && isBlank
            isInName = isInName || !isBlank
        }
        return isInName ? colon : nil
    }

    /// Whether bytes begin with a field, behind blank lines and the `From ` line of a mailbox file.
    static func isBegun(in bytes: [UInt8]) -> Bool {
        var lines = bytes.drop { $0 <= 0x20 }.split(separator: 0x0A, maxSplits: 2)
        if let first = lines.first, first.starts(with: "From ".utf8) { lines.removeFirst() }
        guard let line = lines.first, let length = line.withUnsafeBytes({ Self.colon(of: $0) }) else { return false }
        let colon = line.startIndex + length
        // Stricter than in a mail: JSON and links have colons too.
        return line[..<colon].allSatisfy { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "{") }
            && !line[(colon + 1)...].starts(with: "//".utf8)
    }

    /// The first field of that name, raw.
    func raw(_ name: String) -> [UInt8]? { fields.first { $0.name == name }?.value }

    func all(_ name: String) -> [[UInt8]] { fields.filter { $0.name == name }.map(\.value) }

    func has(_ name: String) -> Bool { fields.contains { $0.name == name } }

    /// The first field of that name as plain ASCII text, for fields that hold tokens.
    func token(_ name: String) -> String? { raw(name).map { String(decoding: $0, as: UTF8.self) } }

    /// The first field of that name with encoded words and raw 8-bit bytes decoded and white space folded.
    ///
    /// Where the header names no charset of its own, such bytes are read as `hint`.
    func text(_ name: String, hint: String? = nil) -> String? {
        raw(name).map { EncodedWords.decode($0, charsetHint: charsetHint ?? hint) }
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.withUnsafeBufferPointer { bytes in
            var (start, end) = (0, bytes.count)
            while start < end, isBlank(bytes[start]) { start += 1 }
            while end > start, isBlank(bytes[end - 1]) { end -= 1 }
            return Array(bytes[start..<end])
        }
    }

    /// White space and controls, but for the escape by which Japanese begins and ends.
    static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 && byte != 0x1B }
}
