internal import PinpostCore

/// The header of a mail, of which a few fields are looked up (RFC 5322 section 2.2); everything else reads mails
/// by the mail way.
struct RawHeader {
    /// A header block that is longer is not looked into any further, in bytes.
    static let longest = 256 << 10

    private let lines: [Substring]

    init(_ bytes: [UInt8]) {
        var end = min(bytes.count, Self.longest)
        for index in bytes.indices.prefix(end) where bytes[index] == 0x0A {
            let next = bytes[(index + 1)...].prefix(2)
            if next.first == 0x0A || next.elementsEqual([0x0D, 0x0A]) {
                end = index
                break
            }
        }
        lines = String(decoding: bytes[..<end], as: UTF8.self).split(whereSeparator: \.isNewline)
    }

    /// Whether it begins with a field: a name without blanks, and a colon.
    var isMail: Bool {
        guard let first = lines.first, let colon = first.firstIndex(of: ":"), colon != first.startIndex else {
            return false
        }
        let name = first[..<colon]
        // A mailbox file's separator may stand before it.
        return name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "<") }
            || first.hasPrefix("From ")
    }

    /// The first field of that name, unfolded; nil where there is none or nothing in it.
    func value(of name: String) -> String? {
        let start = name.lowercased() + ":"
        guard let index = lines.firstIndex(where: { $0.prefix(start.count).lowercased() == start }) else { return nil }
        let folded = lines[(index + 1)...].prefix { $0.first == " " || $0.first == "\t" }
        let value = ([lines[index].dropFirst(start.count)] + folded).joined(separator: " ").trimmed
        return value.isEmpty ? nil : value
    }
}
