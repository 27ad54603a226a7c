internal import PinpostCore

/// A header value with parameters: `form-data; name="x"; filename="y.png"` (RFC 9110 section 5.6.6, RFC 7578).
struct HeaderParameters {
    /// In lower case.
    let value: String
    /// By the name in lower case; the first of equal names counts.
    private(set) var parameters: [String: String] = [:]

    init(_ text: String) {
        var rest = text[...]
        value = Self.take(&rest) { $0 != ";" }.trimmed.lowercased()
        while rest.popFirst() != nil {
            let name = Self.take(&rest) { $0 != "=" && $0 != ";" }.trimmed.lowercased()
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let value = Self.takeValue(&rest)
            if parameters[name] == nil { parameters[name] = value }
        }
    }

    private static func take(_ rest: inout Substring, while belongs: (Character) -> Bool) -> Substring {
        let taken = rest.prefix(while: belongs)
        rest = rest[taken.endIndex...]
        return taken
    }

    /// A token or a quoted string; what follows it up to the next semicolon is dropped.
    private static func takeValue(_ rest: inout Substring) -> String {
        _ = take(&rest) { $0 == " " || $0 == "\t" }
        guard rest.first == "\"" else { return take(&rest) { $0 != ";" }.trimmed }
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            // Only these two are escaped: old browsers send paths with single backslashes.
            if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
                value.append(next)
                rest = rest.dropFirst()
            } else {
                value.append(character)
            }
        }
        _ = take(&rest) { $0 != ";" }
        return value
    }
}

extension HeaderParameters {
    /// The file name of a `Content-Disposition`; nil where the part is not a file.
    var fileName: String? {
        if let extended = parameters["filename*"], let name = Self.extended(extended) { return name }
        // Some programs write it as in a mail.
        guard let name = parameters["filename"].map(HeaderText.decoded) else { return nil }
        // Browsers write these three with percent signs, and no others (WHATWG HTML, multipart/form-data).
        return Self.unescape(name) { $0 == 0x22 || $0 == 0x0D || $0 == 0x0A }
    }

    /// `UTF-8''na%C3%AFve.png` (RFC 8187).
    private static func extended(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return unescape(String(parts[2])) { _ in true }
    }

    private static func unescape(_ text: String, _ isWanted: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = Array(rest.prefix(2))
            if byte == UInt8(ascii: "%"), digits.count == 2, let high = digits[0].hexDigitValue,
                let low = digits[1].hexDigitValue, isWanted(high << 4 | low)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
