internal import PinpostCore

/// The properties of one attachment (MS-OXTNEF section 2.1.3.4), of which only the long file name is kept.
struct MAPIProperties {
    private var longName: [UInt8]?
    private var isUnicode = false

    private static let longNameIdentifier = 0x3707
    private static let mostProperties = 500

    init(_ bytes: [UInt8]) {
        var reader = Reader(bytes: bytes)
        guard let count = reader.number(4) else { return }
        for _ in 0..<min(count, Self.mostProperties) {
            guard let property = reader.property() else { return }
            guard property.identifier == Self.longNameIdentifier, let value = property.value else { continue }
            longName = value
            isUnicode = property.type == 0x1F
        }
    }

    func name(codePage: String?) -> String? {
        guard let longName else { return nil }
        let text = Charset.decode(longName, label: isUnicode ? "utf-16le" : codePage)
        let name = String(text.prefix { $0 != "\0" })
        return name.isEmpty ? nil : name
    }

    private struct Property {
        let type: Int
        let identifier: Int
        /// The first value of variable length; nil for numbers.
        let value: [UInt8]?
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        mutating func number(_ length: Int) -> Int? {
            guard skip(length) else { return nil }
            return bytes.little(position - length, length)
        }

        mutating func property() -> Property? {
            guard let type = number(2), let identifier = number(2) else { return nil }
            if identifier >= 0x8000, !skipName() { return nil }
            var count = 1
            let base = type & 0x0FFF
            let isVariable = [0x0D, 0x1E, 0x1F, 0x102].contains(base)
            if isVariable || type & 0x1000 != 0 {
                guard let values = number(4), values <= 10_000 else { return nil }
                count = values
            }
            var value: [UInt8]?
            for _ in 0..<count {
                if isVariable {
                    guard let content = variable() else { return nil }
                    value = value ?? content
                } else if !skip(Self.width(of: base)) {
                    return nil
                }
            }
            return Property(type: base, identifier: identifier, value: value)
        }

        /// Bytes that are padded to a multiple of four.
        private mutating func variable() -> [UInt8]? {
            guard let length = number(4), skip(length) else { return nil }
            defer { position = min(position + (4 - length % 4) % 4, bytes.count) }
            return Array(bytes[(position - length)..<position])
        }

        /// A named property has a GUID and a number or a name.
        private mutating func skipName() -> Bool {
            guard skip(16), let kind = number(4) else { return false }
            return kind == 0 ? skip(4) : variable() != nil
        }

        private mutating func skip(_ length: Int) -> Bool {
            guard length >= 0, length <= bytes.count - position else { return false }
            position += length
            return true
        }

        private static func width(of type: Int) -> Int {
            switch type {
            case 0x05, 0x06, 0x07, 0x14, 0x40: 8
            case 0x48: 16
            default: 4
            }
        }
    }
}
