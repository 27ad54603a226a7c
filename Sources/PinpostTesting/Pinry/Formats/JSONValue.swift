import PinpostCore

/// JSON with the order of keys, the spelling of numbers and broken surrogates kept, as Python's reader keeps them.
enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    /// A string with half a surrogate pair, named by its four hexadecimal digits.
    case brokenString(surrogate: String)
    case array([JSONValue])
    case object([Member])

    struct Member: Sendable, Equatable {
        let key: String
        let value: JSONValue
    }

    static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { Member(key: $0.key, value: $0.value) })
    }

    static func number(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
    static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int64? { if case .number(let text) = self { Int64(text) } else { nil } }
    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// Compact, in UTF-8, as Django REST framework renders it.
    var rendered: String {
        switch self {
        case .null: "null"
        case .bool(let flag): String(flag)
        case .number(let text): text
        case .string(let text): JSONText.quote(text)
        case .brokenString: "\"\""
        case .array(let elements): "[\(elements.map(\.rendered).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(JSONText.quote($0.key)):\($0.value.rendered)" }.joined(separator: ","))}"
        }
    }

    /// What Python calls the type.
    var pythonType: String {
        switch self {
        case .null: "NoneType"
        case .bool: "bool"
        case .number(let text): text.contains(where: { ".eE".contains($0) }) ? "float" : "int"
        case .string, .brokenString: "str"
        case .array: "list"
        case .object: "dict"
        }
    }
}

/// The text is not JSON; the words are Python's.
struct JSONParseError: Error {
    let detail: String
}

extension JSONValue {
    init(parsing bytes: [UInt8]) throws(JSONParseError) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONParseError(detail: "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONParseError(detail: "'utf-8' codec can't decode bytes: invalid continuation byte")
        }
        var reader = JSONReader(bytes: bytes)
        self = try reader.document()
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    var index = 0
    private var depth = 0

    private static let depthLimit = 100

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONParseError) -> JSONValue {
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw error("Extra data") }
        return value
    }

    private func error(_ what: String) -> JSONParseError {
        JSONParseError(detail: "\(what): line 1 column \(index + 1) (char \(index))")
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private mutating func take(_ character: Character) -> Bool {
        skipSpace()
        guard let byte = current, byte == character.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func value() throws(JSONParseError) -> JSONValue {
        skipSpace()
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.depthLimit else { throw error("Nesting too deep") }
        switch current {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return try string()
        default: return try word()
        }
    }

    private mutating func object() throws(JSONParseError) -> JSONValue {
        index += 1
        var members: [JSONValue.Member] = []
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\""), case .string(let key) = try string() else {
                throw error("Expecting property name enclosed in double quotes")
            }
            guard take(":") else { throw error("Expecting ':' delimiter") }
            members.append(.init(key: key, value: try value()))
        } while take(",")
        guard take("}") else { throw error("Expecting ',' delimiter") }
        return .object(members)
    }

    private mutating func array() throws(JSONParseError) -> JSONValue {
        index += 1
        var elements: [JSONValue] = []
        if take("]") { return .array(elements) }
        repeat { elements.append(try value()) } while take(",")
        guard take("]") else { throw error("Expecting ',' delimiter") }
        return .array(elements)
    }

    private mutating func word() throws(JSONParseError) -> JSONValue {
        let start = index
        while let byte = current, !" \t\r\n,]}:".utf8.contains(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        switch text {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default:
            guard let first = text.first, first == "-" || first.isNumber, Double(text) != nil else {
                index = start
                throw error("Expecting value")
            }
            return .number(text)
        }
    }

    private mutating func string() throws(JSONParseError) -> JSONValue {
        index += 1
        var units: [UInt16] = []
        var raw: [UInt8] = []
        func flush(_ raw: inout [UInt8], into units: inout [UInt16]) {
            units += Array(String(decoding: raw, as: UTF8.self).utf16)
            raw = []
        }
        while let byte = current, byte != UInt8(ascii: "\"") {
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                raw.append(byte)
                continue
            }
            flush(&raw, into: &units)
            units.append(try escape())
        }
        guard current != nil else { throw error("Unterminated string starting at") }
        index += 1
        flush(&raw, into: &units)
        if let text = String(validating: units, as: UTF16.self) { return .string(text) }
        let lone = units.first { (0xD800...0xDFFF).contains($0) } ?? 0
        return .brokenString(surrogate: String(lone, radix: 16, uppercase: true))
    }

    private mutating func escape() throws(JSONParseError) -> UInt16 {
        guard let byte = current else { throw error("Unterminated string starting at") }
        index += 1
        let plain: [UInt8: UInt16] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9,
        ]
        if let unit = plain[byte] { return unit }
        let digits = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
        guard byte == UInt8(ascii: "u"), digits.utf8.count == 4, let unit = UInt16(digits, radix: 16) else {
            throw error("Invalid \\escape")
        }
        index += 4
        return unit
    }
}
