import PinpostCore

/// Turns the bytes of a page into text: byte order mark, then header, then what the page says within 8 KiB.
public enum PageText {
    /// More of a page is not read, in bytes after decompression.
    public static let limit = 1 << 20
    /// Where browsers look for a declaration; some sites write it late (WHATWG HTML, section 13.2.3.2 asks for 1,024).
    private static let declarationLimit = 8 << 10

    /// Decodes a page; `contentType` is the header of the answer, nil where there was none.
    public static func decode(_ bytes: [UInt8], contentType: String? = nil) -> String {
        let bytes = Array(bytes.prefix(limit))
        let text: String
        if let (mark, charset) = byteOrderMarks.first(where: { bytes.starts(with: $0.mark) }) {
            text = Charset.decode(Array(bytes.dropFirst(mark.count)), label: charset)
        } else {
            let label = contentType.flatMap { parameter("charset", of: $0) } ?? declared(in: bytes)
            text = Charset.decode(bytes, label: label)
        }
        // libxml2 ends at a NUL.
        return text.utf8.contains(0) ? String(text.unicodeScalars.map { $0.value == 0 ? " " : Character($0) }) : text
    }

    private static let byteOrderMarks: [(mark: [UInt8], charset: String)] = [
        ([0xEF, 0xBB, 0xBF], "utf-8"), ([0xFE, 0xFF], "utf-16be"), ([0xFF, 0xFE], "utf-16le"),
    ]

    /// What a `meta` element or an XML declaration says, read as ASCII.
    private static func declared(in bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(declarationLimit).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
        let lower = head.lowercased()
        if lower.hasPrefix("<?xml"), let end = lower.firstRange(of: "?>"),
            let name = parameter("encoding", of: String(lower[..<end.lowerBound]))
        {
            return name
        }
        var rest = lower[...]
        while let meta = rest.firstRange(of: "<meta") {
            rest = rest[meta.upperBound...]
            // A page that can be read as ASCII so far is not UTF-16, whatever it says.
            if let name = parameter("charset", of: String(rest.prefix { $0 != ">" })) {
                return name.hasPrefix("utf-16") ? "utf-8" : name
            }
        }
        return nil
    }

    /// `charset=NAME`, with or without quotes and blanks.
    private static func parameter(_ name: String, of text: String) -> String? {
        guard let found = text.lowercased().firstRange(of: name) else { return nil }
        let rest = text.lowercased()[found.upperBound...].drop(while: \.isWhitespace)
        guard rest.first == "=" else { return nil }
        let value = rest.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
            .prefix { !$0.isWhitespace && !"\"';>/".contains($0) }
        return value.isEmpty ? nil : String(value)
    }
}
