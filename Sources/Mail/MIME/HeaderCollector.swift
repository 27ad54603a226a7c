/// Gathers the lines of one header block within the limits.
struct HeaderCollector {
    enum Verdict {
        /// The header goes on.
        case more
        /// The empty line: the body comes next.
        case end
        /// The first line is no field.
        case noHeader
        /// The empty line is missing; the body begins with this line.
        case bodyBegins
    }

    /// The lines from the first on that is no field: the body, where no empty line comes at all.
    private struct Stray {
        /// As it was before them.
        let reader: FieldReader
        var bytes: [UInt8] = []
    }

    private let limits: MailLimits
    private var reader = FieldReader()
    private var byteCount = 0
    private var fieldCount = 0
    private var isAtStart = true
    private var stray: Stray?
    private var looksForBody = 4
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
            guard !isOverLimit else { return .more }
            reader.goOn(content)
            stray?.bytes += line.bytes
            return .more
        }
        if content.isEmpty { return .end }
        let colon = HeaderBlock.colon(of: content)
        if isAtStart, colon == nil { return .noHeader }
        isAtStart = false
        let goesOn = FieldReader.goesOn(content)
        let isStray = colon == nil && !goesOn
        if isStray, isBody(content) { return .bodyBegins }
        if !goesOn { fieldCount += 1 }
        if fieldCount > limits.fields { isOverLimit = true }
        guard !isOverLimit else { return .more }
        if stray != nil, let colon, !goesOn, MissingEmptyLine.isKnownField(content[..<colon]) { stray = nil }
        // A line that the mail ends in was to become something else.
        if isStray, stray == nil, line.endsLine { stray = Stray(reader: reader) }
        stray?.bytes += line.bytes
        reader.take(content, colon: colon)
        return .more
    }

    /// Each look reads the header so far; a body follows its fields at once.
    private mutating func isBody(_ line: UnsafeRawBufferPointer) -> Bool {
        guard looksForBody > 0 else { return false }
        looksForBody -= 1
        return MissingEmptyLine.isBody(line, of: reader.header)
    }

    func header() -> HeaderBlock { reader.header }

    /// No empty line comes any more: gives up the lines that are the body then.
    mutating func takeStray() -> [UInt8] {
        guard let stray else { return [] }
        self.stray = nil
        reader = stray.reader
        return stray.bytes
    }

    private static func withoutLineEnd(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = line.count
        if end > 0, line[end - 1] == 0x0A { end -= 1 }
        // Some programs write CR twice.
        while end > 0, line[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[..<end])
    }
}
