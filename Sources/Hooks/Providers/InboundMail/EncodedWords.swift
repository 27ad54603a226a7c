internal import PinpostCore

/// Words of a header that carry their charset with them: `=?UTF-8?Q?caf=C3=A9?=` (RFC 2047).
///
/// For services that pass a subject on as it was.
enum EncodedWords {
    /// The text with such words decoded; what is no such word stays as it is.
    static func decode(_ text: String) -> String {
        guard text.contains("=?") else { return text }
        var decoded = ""
        var rest = text[...]
        var isAfterWord = false
        while let start = rest.firstRange(of: "=?") {
            let before = rest[..<start.lowerBound]
            guard let (word, end) = word(rest[start.upperBound...]) else {
                decoded += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                isAfterWord = false
                continue
            }
            // White space between two of them belongs to neither (section 6.2).
            if !isAfterWord || !before.allSatisfy(\.isWhitespace) { decoded += before }
            decoded += word
            rest = rest[end...]
            isAfterWord = true
        }
        return decoded + rest
    }

    /// `CHARSET?Q?TEXT?=`, and where it ends.
    private static func word(_ text: Substring) -> (text: String, end: Substring.Index)? {
        // Section 2: 75 characters; some programs write far longer ones.
        let parts = text.prefix(1_000).split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3].first == "=", !parts[0].isEmpty else { return nil }
        let bytes: [UInt8]
        switch parts[1].lowercased() {
        case "b":
            guard let decoded = SignatureEncoding.base64.decode(parts[2]) else { return nil }
            bytes = decoded
        case "q": bytes = quoted(parts[2])
        default: return nil
        }
        let label = parts[0].prefix { $0 != "*" }
        let text = Charset.decode(bytes, label: String(label))
        // A line break here would begin another header.
        return (String(text.map { $0.isNewline ? " " : $0 }), parts[3].index(after: parts[3].startIndex))
    }

    /// Section 4.2.
    private static func quoted(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), rest.count >= 2, let high = rest[rest.startIndex].hexDigitValue,
                let low = rest[rest.startIndex + 1].hexDigitValue
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "_") ? 0x20 : byte)
            }
        }
        return bytes
    }
}
