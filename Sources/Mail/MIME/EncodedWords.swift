internal import PinpostCore

/// Decodes encoded words (RFC 2047) in unstructured header text and, as senders do, in parameters.
///
/// Neighbours in one charset are joined as bytes before they are decoded, since many senders cut characters in two;
/// each word's base64 is decoded by itself, since many senders pad each one.
enum EncodedWords {
    /// White space is folded to single blanks; control characters are dropped.
    static func decode(_ bytes: [UInt8], charsetHint: String? = nil) -> String {
        guard bytes.contains(UInt8(ascii: "=")) else {
            return folded(Charset.decode(bytes, label: nil, hint: charsetHint))
        }
        var text = ""
        var plain: [UInt8] = []
        var run = Run()
        var position = 0
        var attempts = mostBroken
        func endRun() {
            text += run.text()
            run = Run()
        }
        func endPlain() {
            if !plain.isEmpty { text += Charset.decode(plain, label: nil, hint: charsetHint) }
            plain.removeAll()
        }
        while position < bytes.count {
            if let word = word(in: bytes, at: position, &attempts) {
                if run.isOpen, plain.allSatisfy({ $0 <= 0x20 }) { plain.removeAll() } else { endRun() }
                endPlain()
                if !run.takes(word) { endRun() }
                run.add(word)
                position = word.end
            } else {
                plain.append(bytes[position])
                position += 1
                if run.isOpen, let last = plain.last, last > 0x20 { endRun() }
            }
        }
        endRun()
        if plain.contains(where: { $0 > 0x20 }) { endPlain() }
        return folded(text)
    }

    /// The charset of the first encoded word, to judge raw bytes of the same header by.
    static func firstCharset(in bytes: [UInt8]) -> String? {
        var position = 0
        var attempts = mostBroken
        while attempts > 0, let start = bytes[position...].firstIndex(of: UInt8(ascii: "=")) {
            if let word = word(in: bytes, at: start, &attempts) { return word.charset }
            position = start + 1
        }
        return nil
    }

    /// So many broken words are looked at in one field: each may cost a look at all that the longest word has.
    private static let mostBroken = 200

    private static func word(in bytes: [UInt8], at start: Int, _ attempts: inout Int) -> Word? {
        guard attempts > 0, bytes[start] == UInt8(ascii: "="), start + 1 < bytes.count,
            bytes[start + 1] == UInt8(ascii: "?")
        else { return nil }
        let word = Word(in: bytes, at: start)
        if word == nil { attempts -= 1 }
        return word
    }

    /// Words in one charset, joined as bytes.
    private struct Run {
        var charset = ""
        var bytes: [UInt8] = []
        var isOpen = false

        func takes(_ word: Word) -> Bool { isOpen && charset == word.charset }

        mutating func add(_ word: Word) {
            charset = word.charset
            bytes += word.content
            isOpen = true
        }

        func text() -> String { isOpen ? Charset.decode(bytes, label: charset) : "" }
    }

    /// One `=?charset*language?encoding?text?=`.
    private struct Word {
        /// In lower case; some senders name none.
        let charset: String
        let content: [UInt8]
        /// Behind the word.
        let end: Int

        init?(in bytes: [UInt8], at start: Int) {
            let mark = UInt8(ascii: "?")
            guard start + 7 < bytes.count, bytes[start + 1] == mark,
                let charsetEnd = bytes[(start + 2)...].prefix(80).firstIndex(of: mark),
                charsetEnd + 2 < bytes.count, bytes[charsetEnd + 2] == mark,
                bytes[(start + 2)..<charsetEnd].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { return nil }
            let textStart = charsetEnd + 3
            guard let textEnd = Self.end(of: bytes, from: textStart) else { return nil }
            let label = bytes[(start + 2)..<charsetEnd].prefix { $0 != UInt8(ascii: "*") }
            charset = String(decoding: label, as: UTF8.self).lowercased()
            let text = bytes[textStart..<textEnd]
            switch bytes[charsetEnd + 1] {
            case UInt8(ascii: "B"), UInt8(ascii: "b"): content = Self.base64(text)
            case UInt8(ascii: "Q"), UInt8(ascii: "q"): content = Self.quoted(text)
            default: return nil
            }
            end = min(textEnd + 2, bytes.count)
        }

        /// Longer words do not occur; the bound keeps a header of broken words linear.
        private static let longestText = 2_048

        private static func end(of bytes: [UInt8], from start: Int) -> Int? {
            guard start <= bytes.count else { return nil }
            var position = start
            let limit = min(bytes.count, start + longestText)
            while position + 1 < limit {
                if bytes[position] == UInt8(ascii: "?"), bytes[position + 1] == UInt8(ascii: "=") { return position }
                position += 1
            }
            return nil
        }

        private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8] {
            var decoder = Base64Decoder()
            var output = [UInt8](repeating: 0, count: text.count + 8)
            let count = output.withUnsafeMutableBytes { output in
                let first = text.withUnsafeBytes { decoder.decode($0, into: output) }
                return first + decoder.finish(into: UnsafeMutableRawBufferPointer(rebasing: output[first...]))
            }
            return Array(output[..<count])
        }

        /// RFC 2047 section 4.2.
        private static func quoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
            var content: [UInt8] = []
            var rest = text
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "="), rest.count >= 2, let high = hexValue(of: rest[rest.startIndex]),
                    let low = hexValue(of: rest[rest.startIndex + 1])
                {
                    content.append(high << 4 | low)
                    rest = rest.dropFirst(2)
                } else {
                    content.append(byte == UInt8(ascii: "_") ? UInt8(ascii: " ") : byte)
                }
            }
            return content
        }
    }
}

/// White space runs become one blank, control characters go, the ends are trimmed.
func folded(_ text: String) -> String {
    if isFolded(text.utf8) { return text }
    var result = ""
    var hasGap = false
    for scalar in text.unicodeScalars {
        if scalar.properties.isWhitespace {
            hasGap = !result.isEmpty
        } else if scalar.value >= 0x20, scalar.value != 0x7F, !(0x80..<0xA0).contains(scalar.value) {
            if hasGap { result.append(" ") }
            hasGap = false
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// Whether text is plain ASCII with single blanks inside, as most is: then there is nothing to do.
private func isFolded(_ text: String.UTF8View) -> Bool {
    var last = UInt8(ascii: " ")
    for byte in text {
        guard byte >= 0x20, byte < 0x7F, byte != 0x20 || last != 0x20 else { return false }
        last = byte
    }
    return last != 0x20
}
