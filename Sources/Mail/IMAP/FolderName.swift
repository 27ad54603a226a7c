/// Folder names as they travel: modified UTF-7 (RFC 3501 section 5.1.3), in quotes.
enum FolderName {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,".utf8)

    static func quoted(_ name: String) -> String {
        var text = "\""
        var shifted: [UInt16] = []
        for unit in name.utf16 {
            guard (0x20...0x7E).contains(unit) else {
                shifted.append(unit)
                continue
            }
            text += base64(&shifted)
            switch UInt8(unit) {
            case UInt8(ascii: "&"): text += "&-"
            case UInt8(ascii: "\""): text += "\\\""
            case UInt8(ascii: "\\"): text += "\\\\"
            case let byte: text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return text + base64(&shifted) + "\""
    }

    /// `&…-` for what is not ASCII; empties the run.
    private static func base64(_ units: inout [UInt16]) -> String {
        guard !units.isEmpty else { return "" }
        defer { units = [] }
        var text: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        for byte in units.flatMap({ [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(digits[Int(bits >> UInt32(count) & 63)])
            }
            bits &= (1 << UInt32(count)) - 1
        }
        if count > 0 { text.append(digits[Int(bits << UInt32(6 - count) & 63)]) }
        return "&\(String(decoding: text, as: UTF8.self))-"
    }
}
