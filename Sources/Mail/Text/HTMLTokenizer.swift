/// Cuts HTML into tags and text, once from left to right, without a tree.
struct HTMLTokenizer {
    enum Token {
        /// Still with its character references.
        case text(ArraySlice<UInt8>)
        case open(Tag)
        case close(String)
    }

    struct Tag {
        /// In lower case.
        let name: String
        fileprivate let source: ArraySlice<UInt8>

        /// A decoded attribute; nil where it is missing.
        func attribute(_ wanted: String) -> String? { HTMLTokenizer.attribute(wanted, in: source) }
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Token? {
        while isDeclaration(position) { skipDeclaration() }
        guard position < bytes.count else { return nil }
        if isTagStart(position) { return tag() }
        let start = position
        position += 1
        while position < bytes.count, !isTagStart(position) { position += 1 }
        return .text(bytes[start..<position])
    }

    /// Passes over everything up to the end tag of an element whose content is no text.
    mutating func skipContent(of name: String) {
        let end = Array("</\(name)".utf8)
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<"), position + end.count <= bytes.count,
                zip(bytes[position..<(position + end.count)], end).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
            {
                return
            }
            position += 1
        }
    }

    private func isDeclaration(_ place: Int) -> Bool {
        place + 1 < bytes.count && bytes[place] == UInt8(ascii: "<")
            && (bytes[place + 1] == UInt8(ascii: "!") || bytes[place + 1] == UInt8(ascii: "?"))
    }

    private func isTagStart(_ place: Int) -> Bool {
        guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "<") else { return false }
        let next = bytes[place + 1]
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next | 0x20) || next == UInt8(ascii: "/")
            || isDeclaration(place)
    }

    private mutating func skipDeclaration() {
        let isComment = bytes[position...].starts(with: "<!--".utf8)
        position += isComment ? 4 : 2
        while position < bytes.count {
            let isEnd = bytes[position] == UInt8(ascii: ">")
            if isEnd, !isComment || bytes[position - 1] == UInt8(ascii: "-") && bytes[position - 2] == UInt8(ascii: "-")
            {
                break
            }
            position += 1
        }
        position += 1
    }

    private mutating func tag() -> Token {
        let isClosing = bytes[position + 1] == UInt8(ascii: "/")
        let nameStart = position + (isClosing ? 2 : 1)
        var end = nameStart
        while end < bytes.count, bytes[end] > 0x20, bytes[end] != UInt8(ascii: ">"), bytes[end] != UInt8(ascii: "/") {
            end += 1
        }
        let name = String(decoding: bytes[nameStart..<min(end, nameStart + 40)], as: UTF8.self).lowercased()
        let attributes = end
        var quote: UInt8?
        while end < bytes.count, quote != nil || bytes[end] != UInt8(ascii: ">") {
            if let open = quote {
                if bytes[end] == open { quote = nil }
            } else if bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "'"),
                bytes[end - 1] == UInt8(ascii: "=") || bytes[end - 1] <= 0x20
            {
                quote = bytes[end]
            }
            end += 1
        }
        position = min(end + 1, bytes.count)
        return isClosing ? .close(name) : .open(Tag(name: name, source: bytes[attributes..<end]))
    }
}

extension HTMLTokenizer {
    fileprivate static func attribute(_ wanted: String, in source: ArraySlice<UInt8>) -> String? {
        var position = source.startIndex
        while position < source.endIndex {
            while position < source.endIndex, source[position] <= 0x20 || source[position] == UInt8(ascii: "/") {
                position += 1
            }
            let nameStart = position
            while position < source.endIndex, source[position] > 0x20, source[position] != UInt8(ascii: "=") {
                position += 1
            }
            let name = source[nameStart..<position]
            while position < source.endIndex, source[position] <= 0x20 { position += 1 }
            guard position < source.endIndex, source[position] == UInt8(ascii: "=") else {
                if name.isEmpty { position += 1 }
                continue
            }
            position += 1
            let value = value(in: source, &position)
            if String(decoding: name, as: UTF8.self).lowercased() == wanted {
                return String(decoding: HTMLEntities.decoded(value), as: UTF8.self)
            }
        }
        return nil
    }

    private static func value(in source: ArraySlice<UInt8>, _ position: inout Int) -> ArraySlice<UInt8> {
        while position < source.endIndex, source[position] <= 0x20 { position += 1 }
        guard position < source.endIndex else { return [] }
        let quote = source[position]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = position + 1
            position = source[start...].firstIndex(of: quote) ?? source.endIndex
            defer { position = min(position + 1, source.endIndex) }
            return source[start..<position]
        }
        let start = position
        while position < source.endIndex, source[position] > 0x20 { position += 1 }
        return source[start..<position]
    }
}
