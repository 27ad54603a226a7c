/// Text as a value of an `application/x-www-form-urlencoded` body or a query (RFC 3986 section 2.3).
enum FormText {
    private static let digits = Array("0123456789ABCDEF")

    /// Every byte but letters, digits and `-._~` is escaped.
    static func escaped(_ text: some StringProtocol) -> String {
        text.utf8.reduce(into: "") { escaped, byte in
            if byte.isLetterOrDigit || "-._~".utf8.contains(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    static func encoded(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    }
}
