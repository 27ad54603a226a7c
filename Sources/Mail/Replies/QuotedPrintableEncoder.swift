/// Text as quoted-printable (RFC 2045 section 6.7): lines of at most 76 characters, ended by LF.
enum QuotedPrintableEncoder {
    private static let lineLimit = 75

    static func encode(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { encode(line: $0) }.joined(separator: "\n")
    }

    private static func encode(line: Substring) -> String {
        var result = ""
        var length = 0
        let bytes = Array(line.utf8)
        for (index, byte) in bytes.enumerated() {
            let isLast = index == bytes.count - 1
            // A line may neither end with a space nor, to be safe from mbox and SMTP, begin with "." or "From".
            let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") || byte == 0x20 && !isLast
            let isRisky = length == 0 && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "F"))
            let piece = isPlain && !isRisky ? String(UnicodeScalar(byte)) : hex(byte)
            if length + piece.utf8.count > lineLimit {
                result += "=\n"
                length = 0
            }
            result += piece
            length += piece.utf8.count
        }
        return result
    }

    static func hex(_ byte: UInt8) -> String {
        let digits = Array("0123456789ABCDEF")
        return "=\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
}

/// Header fields that people wrote: encoded words where they are not plain ASCII (RFC 2047).
enum EncodedHeader {
    /// Octets of text in one encoded word: in Q encoding that is 63 characters, and its frame has 12.
    private static let wordLimit = 20
    private static let plainLimit = 60

    /// The field, folded; its lines end with LF.
    static func field(_ name: String, _ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !value.contains("=?")
        return "\(name): " + (isPlain ? folded(value) : words(value).joined(separator: "\n "))
    }

    /// Folded at single spaces; a word that is longer than a line stays whole, up to the 998 octets that are allowed.
    private static func folded(_ value: String) -> String {
        var lines: [String] = []
        for word in value.split(separator: " ") {
            if let last = lines.last, last.utf8.count + word.utf8.count < plainLimit {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n ")
    }

    /// Each word holds whole characters.
    private static func words(_ value: String) -> [String] {
        var words: [String] = []
        var piece: [UInt8] = []
        func end() {
            guard !piece.isEmpty else { return }
            words.append("=?utf-8?Q?" + piece.map(q).joined() + "?=")
            piece = []
        }
        for scalar in value.unicodeScalars where scalar.properties.generalCategory != .control {
            let bytes = Array(String(scalar).utf8)
            if piece.count + bytes.count > wordLimit { end() }
            piece += bytes
        }
        end()
        return words
    }

    private static func q(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            String(UnicodeScalar(byte))
        case UInt8(ascii: " "): "_"
        default: QuotedPrintableEncoder.hex(byte)
        }
    }
}
