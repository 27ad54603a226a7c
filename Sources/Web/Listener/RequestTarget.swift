/// The path and the query of a request, decoded once (RFC 9112 section 3.2, RFC 3986).
public struct RequestTarget: Sendable, Hashable {
    public struct QueryItem: Sendable, Hashable {
        public let name: String
        public let value: String
    }

    /// Decoded; a segment never holds a slash or a control character.
    public let segments: [String]
    public let query: [QueryItem]
    /// Path and query as sent.
    public let text: String

    static let largestQuery = 100

    /// Reads the origin form, and the absolute form that proxies use; nil for anything else or a wrong escape.
    public init?(_ text: String) {
        guard let path = Self.originForm(of: text) else { return nil }
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let segments = Self.segments(of: parts[0]),
            let query = parts.count > 1 ? Self.query(of: parts[1]) : []
        else { return nil }
        self.segments = segments
        self.query = query
        self.text = String(path)
    }

    public func queryItem(_ name: String) -> String? { query.first { $0.name == name }?.value }

    private static func originForm(of text: String) -> Substring? {
        if text.hasPrefix("/") { return text[...] }
        let lower = text.prefix(8).lowercased()
        guard lower.hasPrefix("http://") || lower.hasPrefix("https://") else { return nil }
        let authority = text.dropFirst(lower.hasPrefix("https") ? 8 : 7)
        guard let slash = authority.firstIndex(of: "/") else { return "/" }
        return authority[slash...]
    }

    private static func segments(of path: Substring) -> [String]? {
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let segment = decode(part, plusIsSpace: false), !segment.utf8.contains(UInt8(ascii: "/")),
                !segment.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
            else { return nil }
            segments.append(segment)
        }
        return segments
    }

    private static func query(of text: Substring) -> [QueryItem]? {
        var items: [QueryItem] = []
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard items.count < largestQuery, let name = decode(pair[0], plusIsSpace: true),
                let value = pair.count > 1 ? decode(pair[1], plusIsSpace: true) : ""
            else { return nil }
            items.append(QueryItem(name: name, value: value))
        }
        return items
    }

    /// Nil for a broken escape or bytes that are not UTF-8.
    private static func decode(_ text: Substring, plusIsSpace: Bool) -> String? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
