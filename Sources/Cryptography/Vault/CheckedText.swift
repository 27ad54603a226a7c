internal import PinpostCore

/// Random bytes as base32 text with check characters at the end, so that a typing error is told from a wrong token.
enum CheckedText {
    static func make(_ bytes: [UInt8], prefix: String, checkCharacters count: Int) -> [UInt8] {
        let body = prefix + Base32.encode(bytes)
        return Array(body.utf8) + check(Array(body.utf8), count)
    }

    /// Whether `text` is what `make` gives for some `byteCount` bytes.
    static func isValid(_ text: [UInt8], prefix: String, byteCount: Int, checkCharacters count: Int) -> Bool {
        guard text.count == prefix.utf8.count + (byteCount * 8 + 4) / 5 + count, text.starts(with: prefix.utf8) else {
            return false
        }
        let body = Array(text.dropLast(count))
        let random = String(decoding: body.dropFirst(prefix.utf8.count), as: UTF8.self)
        // Upper case decodes as well, but would be a second form of the same token.
        guard let bytes = Base32.decode(random), Base32.encode(bytes) == random else { return false }
        return HMAC.areEqual(Array(text.suffix(count)), check(body, count))
    }

    private static func check(_ body: [UInt8], _ count: Int) -> [UInt8] {
        Array(Base32.encode(SHA256.hash(body)).utf8.prefix(count))
    }
}
