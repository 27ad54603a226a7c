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
    private var bytes: [UInt8] = []
    private var lineStarts: [Int] = []
    private var fieldCount = 0
    private(set) var isOverLimit = false

    init(limits: MailLimits) { self.limits = limits }

    var isEmpty: Bool { lineStarts.isEmpty }

    /// What of the limits was passed, in words.
    var overLimitDetail: String {
        "a header of more than \(limits.headerBytes >> 10) KiB or \(limits.fields) fields"
    }

    /// Takes a line or a fragment of one, with its line end.
    mutating func take(_ line: LineScanner.Line) -> Verdict {
        let content = line.bytes.prefix { $0 != 0x0A }
        guard line.startsLine else {
            append(content)
            return .more
        }
        if content.isEmpty || content.elementsEqual(CollectionOfOne(0x0D)) { return .end }
        if lineStarts.isEmpty ? Self.isNoHeader(content) : Self.isBase64(content) { return .bodyBegins }
        if content.first != 0x20, content.first != 0x09 { fieldCount += 1 }
        if fieldCount > limits.fields { isOverLimit = true }
        if !isOverLimit { lineStarts.append(bytes.count) }
        append(content)
        return .more
    }

    private mutating func append(_ content: Slice<UnsafeRawBufferPointer>) {
        if bytes.count + content.count > limits.headerBytes { isOverLimit = true }
        guard !isOverLimit else { return }
        bytes += content
        if bytes.last == 0x0D { bytes.removeLast() }
    }

    func header() -> HeaderBlock {
        let ends = lineStarts.dropFirst() + [bytes.count]
        return HeaderBlock(lines: zip(lineStarts, ends).map { bytes[$0..<$1] })
    }

    /// A first line that is no field: the part has no header.
    private static func isNoHeader(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        HeaderBlock.colon(of: Array(line.prefix(1_000))[...]) == nil
    }

    /// The data of a part whose header lacks its empty line.
    private static func isBase64(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        let data = line.last == 0x0D ? line.dropLast() : line
        return data.count >= 56
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
