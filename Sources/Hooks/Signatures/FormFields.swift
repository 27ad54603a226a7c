/// The fields of an `application/x-www-form-urlencoded` body in their order (WHATWG URL section 5.1).
struct FormFields: Sequence, IteratorProtocol {
    struct Field: Hashable {
        let name: [UInt8]
        let value: [UInt8]
    }

    private var rest: ArraySlice<UInt8>

    init(_ body: [UInt8]) { rest = body[...] }

    mutating func next() -> Field? {
        while !rest.isEmpty {
            let piece = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[piece.endIndex...].dropFirst()
            guard !piece.isEmpty else { continue }
            let name = piece.prefix { $0 != UInt8(ascii: "=") }
            return Field(name: Self.decoded(name), value: Self.decoded(piece[name.endIndex...].dropFirst()))
        }
        return nil
    }

    /// A percent sign without two digits stands for itself.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == UInt8(ascii: "%"), index + 2 < text.endIndex, let high = text[index + 1].hexDigitValue,
                let low = text[index + 2].hexDigitValue
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return bytes
    }
}
