/// Reads a mail that comes in pieces; memory stays the same however long it is.
struct MIMEStream {
    private var scanner = LineScanner()
    private var parser: MIMEParser
    private let budget: MIMEParser.Budget

    init(
        limits: MailLimits, handler: any MIMEHandler, nesting: Int = 0,
        budget: MIMEParser.Budget = MIMEParser.Budget(), isPart: Bool = false
    ) {
        self.budget = budget
        parser = MIMEParser(limits: limits, handler: handler, nesting: nesting, budget: budget, isPart: isPart)
    }

    /// Takes the next piece, of any length; its bytes need not outlive the call.
    mutating func take(_ piece: UnsafeRawBufferPointer) throws(MailError) {
        var rest = piece
        while !budget.isExhausted, let line = scanner.next(from: &rest, isJoining: parser.isInBody) {
            try parser.take(line)
        }
        try parser.flush()
    }

    /// The mail is over; nothing behind a single part tells whether it is whole.
    mutating func finish(_ arrival: Arrival = .unmarked) throws(MailError) {
        if !budget.isExhausted, let line = scanner.last(), !parser.isBeginOfBoundary(line) { try parser.take(line) }
        try parser.finish(arrival)
    }
}

/// The content of a part that has to be decoded before its own structure shows.
///
/// That is a `message/rfc822` in base64 or quoted-printable, against RFC 2046 section 5.2.1, and what an S/MIME signature
/// holds (RFC 8551 section 3.5.2). Some programs label any attachment so: other content is handed on as a leaf part.
final class WrappedMessage {
    private enum State {
        case undecided
        case message(MIMEStream)
        case signed(SignedContent, MIMEStream)
        case leaf
    }

    private let part: MIMEPart
    private let limits: MailLimits
    private let handler: any MIMEHandler
    private let budget: MIMEParser.Budget
    private var state = State.undecided
    private var head: [UInt8] = []
    private static let headLength = SignedContent.longestHead

    init(_ part: MIMEPart, limits: MailLimits, handler: any MIMEHandler, budget: MIMEParser.Budget) {
        self.part = part
        self.limits = limits
        self.handler = handler
        self.budget = budget
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws(MailError) {
        switch state {
        case .undecided:
            head += bytes
            if head.count >= Self.headLength { try decide() }
        case .message(var stream):
            state = .undecided
            try stream.take(bytes)
            state = .message(stream)
        case .signed(var content, var stream):
            state = .undecided
            try content.take(bytes) { (piece) throws(MailError) in try stream.take(piece) }
            state = .signed(content, stream)
        case .leaf: try handler.content(bytes)
        }
    }

    func finish(_ arrival: Arrival) throws(MailError) {
        if case .undecided = state { try decide() }
        switch state {
        case .message(var stream): try stream.finish(arrival)
        case .signed(let content, var stream):
            try stream.finish(arrival == .damaged ? .damaged : content.isWhole ? .whole : .cut)
        case .leaf: try handler.end(arrival)
        case .undecided: break
        }
    }

    private func decide() throws(MailError) {
        var bytes = head
        head = []
        if part.isSignedContent, let signed = SignedContent.begin(in: bytes) {
            state = .signed(
                signed.content,
                MIMEStream(limits: limits, handler: handler, nesting: part.nesting, budget: budget, isPart: true))
            bytes.removeFirst(signed.count)
        } else if !part.isSignedContent, HeaderBlock.isBegun(in: bytes) {
            state = .message(
                MIMEStream(limits: limits, handler: handler, nesting: part.nesting + 1, budget: budget))
        } else {
            try handler.begin(part)
            state = .leaf
        }
        try bytes.lend { (bytes) throws(MailError) in try take(bytes) }
    }
}
