/// The fields of a multipart/form-data body, as Django's parser sees them.
struct MultipartForm {
    struct File {
        let name: String
        let bytes: [UInt8]
    }

    private(set) var values: [(name: String, value: String)] = []
    private(set) var files: [(field: String, file: File)] = []

    private static let partLimit = 1_000

    /// A body without its final boundary loses the part that is cut.
    init(_ body: [UInt8], contentType: String) {
        guard let boundary = Self.parameter("boundary", of: contentType) else { return }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first boundary has no line break before it.
        let bytes = [13, 10] + body
        var start = Self.find(delimiter, in: bytes, from: 0)
        var count = 0
        while let partStart = start.map({ $0 + delimiter.count }), count < Self.partLimit {
            guard let end = Self.find(delimiter, in: bytes, from: partStart) else { return }
            if partStart + 2 <= end { add(Array(bytes[(partStart + 2)..<end])) }
            start = end
            count += 1
        }
    }

    private mutating func add(_ part: [UInt8]) {
        guard let split = Self.find([13, 10, 13, 10], in: part, from: 0) else { return }
        let head = String(decoding: part[..<split], as: UTF8.self)
        let content = Array(part[(split + 4)...])
        let disposition = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-disposition:") }
        guard let line = disposition.map(String.init), let name = Self.parameter("name", of: line) else { return }
        if let fileName = Self.parameter("filename", of: line) {
            // Django drops names that end in a folder, and takes an empty name for text.
            if fileName.isEmpty {
                values.append((name, ""))
            } else if let base = Self.baseName(fileName) {
                files.append((name, File(name: base, bytes: content)))
            }
        } else {
            values.append((name, String(decoding: content, as: UTF8.self)))
        }
    }

    private static func baseName(_ name: String) -> String? {
        let base = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        return base.isEmpty || base == "." || base == ".." || base.utf8.count > 900 ? nil : base
    }

    /// `key=value` or `key="value"` after a semicolon.
    private static func parameter(_ key: String, of text: String) -> String? {
        var rest = text[...]
        while let found = rest.firstRange(of: "\(key)=") {
            let before = rest[..<found.lowerBound].last
            rest = rest[found.upperBound...]
            guard before == " " || before == ";" else { continue }
            guard rest.first == "\"" else { return String(rest.prefix { $0 != ";" && $0 != " " && !$0.isNewline }) }
            return unquoted(rest.dropFirst())
        }
        return nil
    }

    private static func unquoted(_ text: Substring) -> String {
        var value = ""
        var isEscaped = false
        for character in text {
            if isEscaped || character != "\\" && character != "\"" {
                value.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                break
            }
        }
        return value
    }

    private static func find(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = needle.first, bytes.count >= needle.count else { return nil }
        var index = start
        while index + needle.count <= bytes.count {
            guard let candidate = bytes[index...].firstIndex(of: first), candidate + needle.count <= bytes.count else {
                return nil
            }
            if bytes[candidate..<(candidate + needle.count)].elementsEqual(needle) { return candidate }
            index = candidate + 1
        }
        return nil
    }
}
