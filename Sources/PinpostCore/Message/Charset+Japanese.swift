extension Charset {
    private enum CharacterSet {
        case ascii, katakana, kanji, supplement
    }

    /// Turns ISO-2022-JP into EUC-JP, byte by byte (RFC 1468, WHATWG Encoding section 12.2).
    ///
    /// iconv's own ISO-2022-JP knows neither ① nor ㈱ nor №, which Japanese mail programs send in it. nil where a
    /// character set is chosen that EUC-JP has not.
    static func eucOfISO2022JP(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var set = CharacterSet.ascii
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0x1B {
                guard let (chosen, length) = chosenSet(rest.prefix(3)) else { return nil }
                set = chosen
                rest = rest.dropFirst(length)
                continue
            }
            switch set {
            case .kanji where (0x21..<0x7F).contains(byte): result.append(byte | 0x80)
            case .supplement where (0x21..<0x7F).contains(byte):
                guard let second = rest.popFirst() else { return result }
                result += [0x8F, byte | 0x80, second | 0x80]
            case .katakana where (0x21..<0x60).contains(byte): result += [0x8E, byte | 0x80]
            case .ascii, .katakana, .kanji, .supplement:
                // Half-width katakana without any escape, in eight bits.
                result += (0xA1..<0xE0).contains(byte) ? [0x8E, byte] : [byte]
            }
        }
        return result
    }

    /// What stands behind an escape character, and how many bytes of it belong to the sequence.
    private static func chosenSet(_ bytes: ArraySlice<UInt8>) -> (CharacterSet, Int)? {
        let sequences: [(String, CharacterSet)] = [
            ("(B", .ascii), ("(J", .ascii), ("(I", .katakana), ("$@", .kanji), ("$B", .kanji), ("$(B", .kanji),
            ("$(D", .supplement),
        ]
        return sequences.first { bytes.starts(with: $0.0.utf8) }.map { ($0.1, $0.0.utf8.count) }
    }
}
