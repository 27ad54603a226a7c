internal import PinpostCore

/// A header value with parameters: `Content-Type` (RFC 2045 section 5.1), `Content-Disposition` (RFC 2183).
///
/// Continuations, charsets and percent encoding of RFC 2231 are joined and decoded, and so are encoded words where
/// they do not belong, since many programs write them there. Unquoted values may hold blanks.
struct MIMEValue: Sendable {
    /// In lower case, without blanks: `image/jpeg`, `attachment`.
    let value: String
    /// As they stand in the header; few enough that a search is quicker than a table.
    private let sections: [Section]

    init(_ bytes: [UInt8]) {
        var scanner = Scanner(bytes: bytes)
        value = String(token: scanner.head())
        var sections: [Section] = []
        while let section = scanner.nextSection() { sections.append(section) }
        self.sections = sections
    }

    /// A decoded parameter; raw 8-bit bytes are read as `charsetHint` where they are not UTF-8.
    func parameter(_ name: String, charsetHint: String? = nil) -> String? {
        Parameter(name, of: sections)?.decoded(charsetHint: charsetHint)
    }

    /// A parameter's bytes as they stand, for values that are compared and not shown.
    func rawParameter(_ name: String) -> [UInt8]? { Parameter(name, of: sections)?.joined }
}

extension MIMEValue {
    /// One `name*N*=value` of RFC 2231 section 3 and 4.
    private struct Section {
        let parameter: String
        /// Place among the continuations; nil for a whole value.
        let number: Int?
        let isPercentEncoded: Bool
        let value: [UInt8]

        init(name: ArraySlice<UInt8>, value: [UInt8]) {
            let star = name.firstIndex(of: UInt8(ascii: "*")) ?? name.endIndex
            parameter = String(token: name[..<star])
            let suffix = String(token: name[star...].dropFirst())
            isPercentEncoded = star < name.endIndex && (suffix.isEmpty || suffix.hasSuffix("*"))
            number = suffix.isEmpty ? nil : Int(suffix.prefix { $0 != "*" })
            self.value = value
        }
    }

    private struct Parameter {
        private let sections: [Section]

        /// Gathers what a header says of the parameter; nil where it says nothing.
        init?(_ name: String, of all: [Section]) {
            sections = all.filter { $0.parameter == name }
            if sections.isEmpty { return nil }
        }

        /// The sections that make the value: RFC 2231 goes before the plain form, the first of equals wins.
        private var ordered: [Section] {
            if sections.count == 1 { return sections }
            if let whole = sections.first(where: { $0.number == nil && $0.isPercentEncoded }) { return [whole] }
            let numbered = sections.filter { $0.number != nil }
            guard !numbered.isEmpty else { return Array(sections.prefix(1)) }
            var last: Int?
            // Sorting is not stable, but only equal numbers could change places, and those are dropped.
            return numbered.sorted { ($0.number ?? 0) < ($1.number ?? 0) }.filter { section in
                defer { last = section.number }
                return section.number != last
            }
        }

        var joined: [UInt8] { ordered.flatMap(\.value) }

        func decoded(charsetHint: String?) -> String {
            var bytes: [UInt8] = []
            var charset: String?
            var isExtended = false
            for (place, section) in ordered.enumerated() {
                var value = section.value[...]
                if section.isPercentEncoded {
                    isExtended = true
                    if place == 0 { charset = Self.takeCharset(from: &value) }
                    bytes += Self.percentDecoded(value)
                } else {
                    bytes += value
                }
            }
            guard isExtended else { return EncodedWords.decode(bytes, charsetHint: charsetHint) }
            return Charset.decode(bytes, label: charset, hint: charsetHint)
        }

        /// Takes `charset'language'` from the front.
        private static func takeCharset(from value: inout ArraySlice<UInt8>) -> String? {
            let quote = UInt8(ascii: "'")
            guard let first = value.firstIndex(of: quote),
                let second = value[(first + 1)...].firstIndex(of: quote)
            else { return nil }
            let charset = String(decoding: value[..<first], as: UTF8.self)
            value = value[(second + 1)...]
            return charset.isEmpty ? nil : charset
        }

        private static func percentDecoded(_ value: ArraySlice<UInt8>) -> [UInt8] {
            var bytes: [UInt8] = []
            var rest = value
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "%"), rest.count >= 2, let high = hexValue(of: rest[rest.startIndex]),
                    let low = hexValue(of: rest[rest.startIndex + 1])
                {
                    bytes.append(high << 4 | low)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            }
            return bytes
        }
    }

    /// Reads `head; name=value; name="value"` from left to right, once.
    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func head() -> ArraySlice<UInt8> {
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: ";") { position += 1 }
            return bytes[start..<position]
        }

        mutating func nextSection() -> Section? {
            while position < bytes.count {
                while position < bytes.count, bytes[position] <= 0x20 || bytes[position] == UInt8(ascii: ";") {
                    position += 1
                }
                let start = position
                while position < bytes.count, bytes[position] != UInt8(ascii: "="),
                    bytes[position] != UInt8(ascii: ";")
                { position += 1 }
                guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { continue }
                let name = bytes[start..<position]
                position += 1
                let value = value()
                if name.contains(where: { $0 > 0x20 }) { return Section(name: name, value: value) }
            }
            return nil
        }

        private mutating func value() -> [UInt8] {
            while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                return HeaderBlock.trimmed(head())
            }
            position += 1
            return quoted() + afterQuoted()
        }

        private mutating func quoted() -> [UInt8] {
            var value: [UInt8] = []
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count,
                    bytes[position + 1] == UInt8(ascii: "\"") || bytes[position + 1] == UInt8(ascii: "\\")
                {
                    position += 1
                }
                value.append(bytes[position])
                position += 1
            }
            position += 1
            return value
        }

        /// What stands between the closing quote and the next `;`: the rest of a name that has quotes in it, else noise.
        private mutating func afterQuoted() -> ArraySlice<UInt8> {
            guard position < bytes.count else { return [] }
            let rest = head()
            let isName = rest.contains(UInt8(ascii: "\"")) && !rest.contains(UInt8(ascii: "="))
            return isName ? rest.filter { $0 != UInt8(ascii: "\"") }[...] : []
        }
    }
}
