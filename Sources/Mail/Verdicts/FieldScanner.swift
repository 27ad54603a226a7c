/// Reads a structured header value strictly, from left to right (RFC 5322 section 3.2): comments, quoted strings, atoms.
struct FieldScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    /// Comments inside each other; nobody writes more.
    private static let deepestComment = 20

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    /// Takes one byte, if it is the next one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Passes over white space and comments; false where a comment does not end.
    mutating func skipCFWS() -> Bool {
        while let byte = next {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): position += 1
            case UInt8(ascii: "("): guard skipComment() else { return false }
            default: return true
            }
        }
        return true
    }

    private mutating func skipComment() -> Bool {
        var depth = 0
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: "("):
                depth += 1
                if depth > Self.deepestComment { return false }
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return true }
            default: break
            }
        }
        return false
    }

    /// What stands in quotes, without them and their escapes; nil where the string does not end.
    mutating func quotedString() -> [UInt8]? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        var value: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return value
            case UInt8(ascii: "\\"):
                guard let escaped = next else { return nil }
                value.append(escaped)
                position += 1
            default: value.append(byte)
            }
        }
        return nil
    }

    /// The bytes from here on that are allowed; at least one, else nil.
    mutating func run(where isAllowed: (UInt8) -> Bool) -> [UInt8]? {
        let start = position
        while let byte = next, isAllowed(byte) { position += 1 }
        return position > start ? Array(bytes[start..<position]) : nil
    }
}

extension UInt8 {
    /// A character of an atom (RFC 5322 section 3.2.3, RFC 6532).
    var isAtomText: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(self)
        }
    }

    /// A character of a token (RFC 2045 section 5.1).
    var isTokenText: Bool { self > 0x20 && self < 0x7F && !"()<>@,;:\\\"/[]?=".utf8.contains(self) }
}
