/// JSON as pages carry it: broken in ways that everybody forgives.
///
/// Line breaks inside texts, commas too many, comments, CDATA marks and junk around the value are taken; depth and
/// size are bounded; whatever makes no sense ends the reading with what is there.
indirect enum LenientJSON: Hashable, Sendable {
    case object([String: LenientJSON])
    case array([LenientJSON])
    case text(String)
    case number(Double)
    case other

    /// The first object or array in the text; nil where there is none.
    init?(_ text: String) {
        var reader = Reader(Array(text.utf8))
        guard reader.skipToValue() else { return nil }
        self = reader.value(depth: 0)
    }

    subscript(_ key: String) -> LenientJSON? {
        guard case .object(let fields) = self else { return nil }
        return fields[key]
    }

    var text: String? {
        switch self {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .object, .array, .other: nil
        }
    }

    /// A side of a picture in pixels, also where it is written as text or with a unit.
    var size: Int? {
        switch self {
        case .number(let number): number >= 0 && number < Double(Int.mostPixels) ? Int(number) : nil
        case .text(let text): Int(pixels: text)
        case .object(let fields): fields["value"]?.size
        case .array, .other: nil
        }
    }

    /// The values of an array, or the value alone.
    var list: [LenientJSON] {
        if case .array(let values) = self { values } else { [self] }
    }
}

private struct Reader {
    private let bytes: [UInt8]
    private var position = 0
    /// Values that may still be read.
    private var budget = 20_000

    private static let deepest = 64

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func skipToValue() -> Bool {
        while position < bytes.count, bytes[position] != UInt8(ascii: "{"), bytes[position] != UInt8(ascii: "[") {
            // `<![CDATA[` has a bracket of its own.
            if bytes[position...].starts(with: "<![CDATA[".utf8) { position += 8 }
            position += 1
        }
        return position < bytes.count
    }

    mutating func value(depth: Int) -> LenientJSON {
        skipBlank()
        budget -= 1
        guard position < bytes.count, depth < Self.deepest, budget > 0 else {
            position = bytes.count
            return .other
        }
        switch bytes[position] {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return array(depth)
        case UInt8(ascii: "\""): return .text(text())
        default: return word()
        }
    }

    private mutating func object(_ depth: Int) -> LenientJSON {
        var fields: [String: LenientJSON] = [:]
        position += 1
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "}"):
                position += 1
                return .object(fields)
            case UInt8(ascii: "\""):
                let key = text()
                skipBlank()
                if next() == UInt8(ascii: ":") { position += 1 }
                let value = value(depth: depth + 1)
                if fields[key] == nil { fields[key] = value }
            default: position += 1
            }
        }
        return .object(fields)
    }

    private mutating func array(_ depth: Int) -> LenientJSON {
        var values: [LenientJSON] = []
        position += 1
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "]"):
                position += 1
                return .array(values)
            case UInt8(ascii: ","): position += 1
            default: values.append(value(depth: depth + 1))
            }
        }
        return .array(values)
    }

    /// The next byte that is not blank; nil at the end.
    private mutating func next() -> UInt8? {
        skipBlank()
        return position < bytes.count ? bytes[position] : nil
    }

    private mutating func skipBlank() {
        while position < bytes.count {
            if bytes[position] <= 0x20 {
                position += 1
            } else if bytes[position...].starts(with: "/*".utf8) {
                position = bytes[position...].firstIndex(of: UInt8(ascii: "/"), after: UInt8(ascii: "*")) ?? bytes.count
            } else if bytes[position...].starts(with: "//".utf8) {
                position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            } else {
                return
            }
        }
    }

    private mutating func text() -> String {
        var content: [UInt8] = []
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                position += 1
                escape(into: &content)
            } else {
                content.append(bytes[position] < 0x20 ? 0x20 : bytes[position])
                position += 1
            }
        }
        position += 1
        return String(decoding: content, as: UTF8.self)
    }

    private mutating func escape(into content: inout [UInt8]) {
        guard position < bytes.count else { return }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
            content.append(0x20)
        case UInt8(ascii: "u"):
            var unit = hexadecimal()
            if (0xD800..<0xDC00).contains(unit), bytes[position...].starts(with: "\\u".utf8) {
                position += 2
                unit = 0x10000 + (unit - 0xD800) << 10 + (hexadecimal() &- 0xDC00) & 0x3FF
            }
            content += Array(String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
        default: content.append(byte)
        }
    }

    private mutating func hexadecimal() -> UInt32 {
        let digits = bytes[position...].prefix(4)
        position += digits.count
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0xFFFD
    }

    private mutating func word() -> LenientJSON {
        let start = position
        while position < bytes.count, !",]}".utf8.contains(bytes[position]), bytes[position] > 0x20 { position += 1 }
        if position == start { position += 1 }
        return Double(String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)).map { .number($0) }
            ?? .other
    }
}

extension ArraySlice<UInt8> {
    /// Where what follows `first` directly after `second` ends: the index behind `*/`.
    fileprivate func firstIndex(of first: UInt8, after second: UInt8) -> Int? {
        indices.dropFirst(3).first { self[$0] == first && self[$0 - 1] == second }.map { $0 + 1 }
    }
}
