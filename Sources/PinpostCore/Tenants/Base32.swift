/// Base32 of RFC 4648 section 6 in lower case and without padding: safe in mail addresses, URLs and file names.
public enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    public static func encode(_ bytes: some Sequence<UInt8>) -> String { text(of: Array(bytes)) }

    /// One type alone: a generic loop in another module would go through a witness for each byte.
    private static func text(of bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: (bytes.count * 8 + 4) / 5) { text in
            var (count, buffer, bits) = (0, UInt32(0), 0)
            func add(_ value: UInt32) {
                text[count] = alphabet[Int(value) & 31]
                count += 1
            }
            for byte in bytes {
                buffer = buffer << 8 | UInt32(byte)
                bits += 8
                while bits >= 5 {
                    bits -= 5
                    add(buffer >> UInt32(bits))
                }
            }
            if bits > 0 { add(buffer << UInt32(5 - bits)) }
            return count
        }
    }

    /// Reads either case; nil when a character is outside the alphabet or the last bits are not zero.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            buffer = buffer << 5 | value
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        guard bits < 5, buffer & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(character - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}
