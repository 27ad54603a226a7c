internal import PinpostCore

/// Cuts a multipart body into its parts (RFC 2046 section 5.1) while it streams by.
final class MultipartReader {
    /// The header fields of a part that matter.
    struct Head {
        var disposition = HeaderParameters("")
        var contentType = ""
        /// Of a text; nil where the part names none.
        var charset: String?
        /// Forms have no such encoding any more (RFC 7578 section 4.7); programs that build them as mails still do.
        var isBase64 = false
    }

    private let source: ByteSource
    private let delimiter: [UInt8]
    private let headLimit: Int
    private var isAtStart = true

    init(_ source: ByteSource, boundary: String, headLimit: Int) {
        self.source = source
        self.headLimit = headLimit
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// The next part; nil after the closing boundary.
    ///
    /// The body of the part before has to be taken first.
    func next() throws(HookError) -> Head? {
        if isAtStart { try body { _ in } }
        if try source.prefix(2) == Array("--".utf8) { return nil }
        while let byte = try source.peek(), byte == 0x20 || byte == 0x09 { _ = try source.next() }
        guard try line(limit: 2).isEmpty else { throw malformed("a boundary has to end its line.") }
        return try head()
    }

    /// Whether the body of the part begins with this; nothing is taken.
    func bodyBegins(with start: String) throws(HookError) -> Bool {
        try source.prefix(start.utf8.count).elementsEqual(start.utf8)
    }

    /// Takes the body of the part up to and with the next boundary.
    func body(_ consume: (UnsafeRawBufferPointer) throws(HookError) -> Void) throws(HookError) {
        // A boundary at the very start has no line before it.
        let lineEnd = 2
        if isAtStart {
            isAtStart = false
            let opening = delimiter.dropFirst(lineEnd)
            if try source.prefix(opening.count).elementsEqual(opening) { return source.skip(opening.count) }
        }
        guard try source.run(through: delimiter, consume) else {
            throw malformed("the body ends before the closing boundary.")
        }
    }

    private func head() throws(HookError) -> Head {
        var head = Head()
        var left = headLimit
        while true {
            let line = try line(limit: left)
            if line.isEmpty { return head }
            left -= line.utf8.count
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            switch parts[0].trimmed.lowercased() {
            case "content-disposition": head.disposition = HeaderParameters(String(parts[1]))
            case "content-type":
                let type = HeaderParameters(String(parts[1]))
                (head.contentType, head.charset) = (type.value, type.parameters["charset"])
            case "content-transfer-encoding": head.isBase64 = parts[1].trimmed.lowercased() == "base64"
            default: break
            }
        }
    }

    /// A line without its end; wrong UTF-8 is replaced.
    private func line(limit: Int) throws(HookError) -> String {
        var bytes: [UInt8] = []
        while let byte = try source.next() {
            if byte == 0x0A, bytes.last == 0x0D { return String(decoding: bytes.dropLast(), as: UTF8.self) }
            guard bytes.count < limit else {
                throw malformed("the header of a part is too long, or a line lacks CRLF.")
            }
            bytes.append(byte)
        }
        throw malformed("the body ends inside the header of a part.")
    }

    private func malformed(_ detail: String) -> HookError {
        HookError(.malformed, "multipart/form-data: \(detail)", at: source.position)
    }
}
