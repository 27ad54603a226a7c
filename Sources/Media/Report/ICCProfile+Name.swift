extension ICCProfile {
    private static let maximumTags = 200
    private static let maximumName = 100

    /// What the profile calls itself (ICC.1:2010, sections 9.2.41, 10.13 and 10.24); nil where it does not say.
    var name: String? { try? readName() }

    private func readName() throws(Malformed) -> String? {
        var reader = ByteReader(bytes.dropFirst(128))
        for _ in 0..<min(try reader.big(4), Self.maximumTags) {
            let (tag, offset, length) = (try reader.code(), try reader.big(4), try reader.big(4))
            guard tag == "desc" else { continue }
            var element = ByteReader(bytes.dropFirst(offset).prefix(length))
            return try Self.text(&element)
        }
        return nil
    }

    private static func text(_ reader: inout ByteReader) throws(Malformed) -> String? {
        let start = reader.rest
        switch try reader.code() {
        case "desc":
            try reader.take(4)
            let length = try reader.big(4)
            return plain(String(decoding: try reader.take(min(length, maximumName)), as: UTF8.self))
        case "mluc":
            try reader.take(4 + 4 + 4 + 4)
            let (length, offset) = (try reader.big(4), try reader.big(4))
            let units = start.dropFirst(offset).prefix(min(length, 2 * maximumName))
            let pairs = stride(from: units.startIndex, to: units.endIndex - 1, by: 2)
            return plain(String(decoding: pairs.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self))
        default: return nil
        }
    }

    private static func plain(_ text: String) -> String? {
        let name = text.prefix { $0 != "\0" }
        return name.isEmpty ? nil : String(name)
    }
}
