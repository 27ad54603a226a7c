/// The state machine of a mail's structure (RFC 2045, 2046, 5322): lines in, parts with decoded content out.
///
/// Nothing is recursive that the mail could drive: multiparts are a stack of bounded depth, and a message inside a
/// message continues the same machine. Only a message wrapped in base64 has a machine of its own, at most
/// `messageDepth` inside each other.
struct MIMEParser {
    private enum State {
        /// Before a header: blank lines and an mbox `From ` line are passed over.
        case lead
        case header
        /// Inside a leaf part; its bytes go to the handler.
        case leaf
        /// Inside an encoded `message/rfc822`.
        case wrapped(WrappedMessage)
        /// Before the first and after the last part of a multipart, and in whatever is left out.
        case passedOver
    }

    /// Counted over wrapped messages too.
    final class Budget {
        var parts = 0
        /// Signed mails in one piece; one may be inside of another.
        var signatures = 0
        var isExhausted = false
    }

    private let limits: MailLimits
    private let handler: any MIMEHandler
    private let budget: Budget
    private var state = State.lead
    private var multiparts: MultipartStack
    private var nesting: Int
    /// Set while the header of a whole message is read: what encloses it, nil for the outermost.
    private var isMessageHeader = true
    private var enclosing: MIMEPart?
    private var collector: HeaderCollector
    private var decoder = TransferDecoder()
    private var run = BodyRun()
    /// The lines of a header that had no end are read as its body.
    private var isFeeding = false

    /// Begins with the header of a message, or with that of a part, which may be empty.
    init(
        limits: MailLimits, handler: any MIMEHandler, nesting: Int = 0, budget: Budget = Budget(), isPart: Bool = false
    ) {
        self.limits = limits
        self.handler = handler
        self.nesting = nesting
        self.budget = budget
        collector = HeaderCollector(limits: limits)
        multiparts = MultipartStack(longestBoundary: limits.boundaryLength)
        isMessageHeader = !isPart
        if isPart { state = .header }
    }

    /// Whether only a boundary matters of what comes next: lines may be joined up to the next that looks like one.
    var isInBody: Bool {
        switch state {
        case .leaf, .wrapped, .passedOver: true
        case .lead, .header: false
        }
    }

    mutating func take(_ line: LineScanner.Line) throws(MailError) {
        if line.startsLine, let boundary = multiparts.boundary(in: line.bytes, adopting: isBetweenParts) {
            return try cross(boundary)
        }
        switch state {
        case .leaf, .wrapped:
            if !run.extend(by: line.bytes) {
                try flushWithLineEnd()
                _ = run.extend(by: line.bytes)
            }
            if line.isCopy { try flush() }
        case .lead: try lead(line)
        case .header: try header(line)
        case .passedOver: break
        }
    }

    /// Whether a line that the mail ends in was to become a boundary: it is no content then.
    func isBeginOfBoundary(_ line: LineScanner.Line) -> Bool {
        line.startsLine && multiparts.isBeginOfBoundary(line.bytes)
    }

    /// Hands on what the run of body lines refers to; called before those bytes go away.
    mutating func flush() throws(MailError) {
        guard let bytes = run.takeAllButLineEnd() else { return }
        try body(bytes)
    }

    private mutating func flushWithLineEnd() throws(MailError) {
        try flush()
        let lineEnd = run.takeHeldLineEnd()
        guard !lineEnd.isEmpty else { return }
        try lineEnd.lend { (bytes) throws(MailError) in try body(bytes) }
    }

    /// The mail is over; one inside of another that came whole is whole too, unless an own boundary is missing.
    mutating func finish(_ arrival: Arrival) throws(MailError) {
        while case .header = state { try endHeaderWithoutEmptyLine() }
        switch state {
        case .lead: if isMessageHeader, nesting == 0 { handler.message(HeaderBlock(), nesting: 0) }
        case .header, .leaf, .wrapped, .passedOver: break
        }
        // A single part has no boundary that its last line end would belong to.
        if multiparts.isEmpty {
            try flushWithLineEnd()
        }
        try endBody(multiparts.isEmpty ? arrival : .cut)
    }
}

// MARK: - Headers
extension MIMEParser {
    private mutating func lead(_ line: LineScanner.Line) throws(MailError) {
        let isBlank = line.bytes.allSatisfy { $0 <= 0x20 }
        let isMbox = line.bytes.starts(with: "From ".utf8) || line.bytes.starts(with: ">From ".utf8)
        // A part's header may be empty; only a message cannot begin with its empty line.
        if isMessageHeader, isBlank || isMbox || !line.startsLine { return }
        state = .header
        try header(line)
    }

    private mutating func header(_ line: LineScanner.Line) throws(MailError) {
        switch collector.take(line) {
        case .more: break
        case .end: try endHeader()
        case .noHeader where isMessageHeader && enclosing == nil:
            break  // The outermost message has a header, however broken its first line is.
        case .noHeader, .bodyBegins:
            try endHeader()
            try take(line)
        }
    }

    /// Ends a header that no empty line ended: what in it is no field was the body.
    private mutating func endHeaderWithoutEmptyLine() throws(MailError) {
        // Once at a time, so that no line is read more than twice.
        guard !isFeeding else { return try endHeader() }
        isFeeding = true
        defer { isFeeding = false }
        let stray = collector.takeStray()
        try endHeader()
        var scanner = LineScanner()
        try stray.lend { (bytes) throws(MailError) in
            var rest = bytes
            while let line = scanner.next(from: &rest) { try take(line) }
            if let line = scanner.last() { try take(line) }
            try flush()
        }
    }

    private mutating func endHeader() throws(MailError) {
        let header = collector.header()
        let isOverLimit = collector.isOverLimit
        if isOverLimit, isMessageHeader, nesting == 0 { throw MailError(.overLimit, collector.overLimitDetail) }
        collector = HeaderCollector(limits: limits)
        state = .passedOver
        budget.parts += 1
        guard budget.parts <= limits.parts else {
            budget.isExhausted = true
            return handler.exceeded(.parts)
        }
        if isOverLimit { return handler.exceeded(.partHeader) }
        if isMessageHeader, let enclosing, header.fields.isEmpty {
            // Labelled as a message, but without a header: whatever it is, it is content.
            nesting -= 1
            return try beginLeaf(enclosing)
        }
        let isInDigest = multiparts.innermostSubtype == "digest" && !isMessageHeader
        if isMessageHeader { handler.message(header, nesting: nesting) }
        isMessageHeader = false
        enclosing = nil
        try beginEntity(header, defaultType: isInDigest ? "message/rfc822" : "text/plain")
    }

    private mutating func beginEntity(_ header: HeaderBlock, defaultType: String) throws(MailError) {
        var type = header.contentType.value
        if type.isEmpty { type = defaultType }
        if !type.utf8.contains(UInt8(ascii: "/")) { type = "text/plain" }
        let part = MIMEPart(header: header, type: type, containers: multiparts.subtypes, nesting: nesting)
        if type.hasPrefix("multipart/") {
            guard multiparts.depth < limits.multipartDepth else { return handler.exceeded(.multipartDepth) }
            multiparts.open(part)
        } else if type == "message/rfc822" || type == "message/global" || type == "message/news" {
            try beginMessage(part)
        } else if part.isSignedContent, budget.signatures < limits.messageDepth {
            budget.signatures += 1
            wrap(part)
        } else {
            try beginLeaf(part)
        }
    }

    private mutating func beginMessage(_ part: MIMEPart) throws(MailError) {
        guard nesting < limits.messageDepth else { return handler.exceeded(.messageDepth) }
        if TransferDecoder.Encoding(part.header) == .identity {
            nesting += 1
            isMessageHeader = true
            enclosing = part
            state = .lead
        } else {
            wrap(part)
        }
    }

    private mutating func wrap(_ part: MIMEPart) {
        decoder.begin(TransferDecoder.Encoding(part.header))
        state = .wrapped(WrappedMessage(part, limits: limits, handler: handler, budget: budget))
    }

    private mutating func beginLeaf(_ part: MIMEPart) throws(MailError) {
        isMessageHeader = false
        enclosing = nil
        decoder.begin(TransferDecoder.Encoding(part.header))
        try handler.begin(part)
        state = .leaf
    }
}

// MARK: - Bodies and boundaries
extension MIMEParser {
    private mutating func body(_ bytes: UnsafeRawBufferPointer) throws(MailError) {
        switch state {
        case .leaf:
            try decoder.decode(bytes) { (decoded) throws(MailError) in try handler.content(decoded) }
        case .wrapped(let message):
            try decoder.decode(bytes) { (decoded) throws(MailError) in try message.take(decoded) }
        case .lead, .header, .passedOver: break
        }
    }

    private mutating func endBody(_ arrival: Arrival) throws(MailError) {
        try flush()
        run = BodyRun()
        switch state {
        case .leaf:
            try decoder.finish { (decoded) throws(MailError) in try handler.content(decoded) }
            try handler.end(decoder.arrival(in: arrival))
        case .wrapped(let message):
            try decoder.finish { (decoded) throws(MailError) in try message.take(decoded) }
            try message.finish(decoder.arrival(in: arrival))
        case .lead, .header, .passedOver: break
        }
        state = .passedOver
    }

    private var isBetweenParts: Bool {
        if case .passedOver = state { true } else { false }
    }

    private mutating func cross(_ boundary: MultipartStack.Boundary) throws(MailError) {
        while case .header = state { try endHeaderWithoutEmptyLine() }
        try endBody(.whole)
        isMessageHeader = false
        enclosing = nil
        // A header that ended just now may have opened a multipart; it is inside and goes too.
        nesting = multiparts.cross(boundary)
        if !boundary.isClosing { state = .header }
    }
}
