/// Gathers the lines of one header block within the limits.
struct HeaderCollector {
    enum Verdict {
        /// The header goes on.
        case more
        /// The empty line: the body comes next.
        case end
        /// There is no empty line; the body begins with this one.
        case bodyBegins
    }

    private let limits: MailLimits
    private var reader = FieldReader()
    private var byteCount = 0
    private var fieldCount = 0
    private var isAtStart = true
    private(set) var isOverLimit = false

    init(limits: MailLimits) { self.limits = limits }

    /// What of the limits was passed, in words.
    var overLimitDetail: String {
        "a header of more than \(limits.headerBytes >> 10) KiB or \(limits.fields) fields"
    }

    /// Takes a line or a fragment of one, with its line end.
    mutating func take(_ line: LineScanner.Line) -> Verdict {
        let content = Self.withoutLineEnd(line.bytes)
        byteCount += content.count
        if byteCount > limits.headerBytes { isOverLimit = true }
        guard line.startsLine else {
            if !isOverLimit { reader.goOn(content) }
            return .more
        }
        if content.isEmpty { return .end }
        if isAtStart ? HeaderBlock.colon(of: content) == nil : Self.isBase64(content) { return .bodyBegins }
        isAtStart = false
        if content[0] != 0x20, content[0] != 0x09 { fieldCount += 1 }
        if fieldCount > limits.fields { isOverLimit = true }
        if !isOverLimit { reader.take(content) }
        return .more
    }

    mutating func header() -> HeaderBlock { HeaderBlock(fields: reader.finish()) }

    private static func withoutLineEnd(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = line.count
        if end > 0, line[end - 1] == 0x0A { end -= 1 }
        if end > 0, line[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[..<end])
    }

    /// The data of a part whose header lacks its empty line.
    private static func isBase64(_ data: UnsafeRawBufferPointer) -> Bool {
        data.count >= 56
            && data.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                    true
                default: false
                }
            }
    }
}
