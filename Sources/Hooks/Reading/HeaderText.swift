internal import PinpostCore

/// The text of a header field: encoded words (RFC 2047) where a sender could not write UTF-8.
enum HeaderText {
    /// Decodes what is well formed and leaves the rest as it is; linear in the text.
    static func decoded(_ value: String) -> String {
        guard value.utf8.contains(UInt8(ascii: "=")) else { return value }
        var text = ""
        var wasEncoded = false
        for word in value.split(separator: " ", omittingEmptySubsequences: false) {
            let plain = self.word(word)
            // White space between two encoded words separates nothing (section 6.2).
            if !text.isEmpty, !(wasEncoded && plain != nil) { text += " " }
            text += plain ?? String(word)
            wasEncoded = plain != nil
        }
        return text
    }

    /// `=?UTF-8?B?QsOkcg==?=`; nil for any other word.
    private static func word(_ word: Substring) -> String? {
        guard word.hasPrefix("=?"), word.hasSuffix("?="), word.utf8.count >= 8 else { return nil }
        let parts = word.dropFirst(2).dropLast(2).split(separator: "?", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = bytes(parts[2], as: parts[1].lowercased()) else { return nil }
        // A language may follow the charset (RFC 2231 section 5).
        let charset = parts[0].prefix { $0 != "*" }
        return Charset.decode(bytes, label: String(charset))
    }

    private static func bytes(_ text: Substring, as encoding: String) -> [UInt8]? {
        switch encoding {
        case "b":
            var decoder = Base64Decoder()
            var bytes: [UInt8] = []
            decoder.decode(text.utf8, into: &bytes)
            decoder.finish(into: &bytes)
            return decoder.isValid ? bytes : nil
        case "q": return quoted(text)
        default: return nil
        }
    }

    /// The form "Q" of section 4.2; nil where an escape is broken.
    private static func quoted(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "="):
                guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
