/// Base64 in pieces (RFC 4648): both alphabets, white space anywhere, padding present or not, also between parts.
struct Base64Decoder {
    /// False once a character was outside the alphabet or the end cut a byte; nothing after it counts.
    private(set) var isValid = true
    private var buffer: UInt32 = 0
    private var sextets = 0

    mutating func decode(_ text: some Collection<UInt8>, into bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + text.count / 4 * 3 + 3)
        for character in text {
            let value = Self.values[Int(character)]
            if value < 64 {
                buffer = buffer << 6 | UInt32(value)
                sextets += 1
                guard sextets == 4 else { continue }
                bytes.append(UInt8(truncatingIfNeeded: buffer >> 16))
                bytes.append(UInt8(truncatingIfNeeded: buffer >> 8))
                bytes.append(UInt8(truncatingIfNeeded: buffer))
                sextets = 0
            } else if value == Self.padding {
                finish(into: &bytes)
            } else if value != Self.space {
                isValid = false
                return
            }
        }
    }

    /// Writes the last one or two bytes of a group.
    mutating func finish(into bytes: inout [UInt8]) {
        switch sextets {
        case 0: break
        case 2: bytes.append(UInt8(truncatingIfNeeded: buffer >> 4))
        case 3:
            bytes.append(UInt8(truncatingIfNeeded: buffer >> 10))
            bytes.append(UInt8(truncatingIfNeeded: buffer >> 2))
        default: isValid = false
        }
        sextets = 0
    }

    private static let padding: UInt8 = 64
    private static let space: UInt8 = 65

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        values[Int(UInt8(ascii: "="))] = padding
        for character in " \t\r\n".utf8 { values[Int(character)] = space }
        return values
    }()
}
