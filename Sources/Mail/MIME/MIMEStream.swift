/// Reads a mail that comes in pieces; memory stays the same however long it is.
struct MIMEStream {
    private var scanner = LineScanner()
    private var parser: MIMEParser
    private let budget: MIMEParser.Budget

    init(
        limits: MailLimits, handler: any MIMEHandler, nesting: Int = 0,
        budget: MIMEParser.Budget = MIMEParser.Budget()
    ) {
        self.budget = budget
        parser = MIMEParser(limits: limits, handler: handler, nesting: nesting, budget: budget)
    }

    /// Takes the next piece, of any length; its bytes need not outlive the call.
    mutating func take(_ piece: UnsafeRawBufferPointer) throws(MailError) {
        var rest = piece
        while !budget.isExhausted, let line = scanner.next(from: &rest, isJoining: parser.isInBody) {
            try parser.take(line)
        }
        try parser.flush()
    }

    mutating func finish() throws(MailError) {
        if !budget.isExhausted, let line = scanner.last() { try parser.take(line) }
        try parser.finish()
    }
}

/// The content of a `message/rfc822` part that is base64 or quoted-printable, against RFC 2046 section 5.2.1.
///
/// Some programs label any attachment so: what does not begin like a message is handed on as a leaf part.
final class WrappedMessage {
    private enum State {
        case undecided
        case message(MIMEStream)
        case leaf
    }

    private let part: MIMEPart
    private let limits: MailLimits
    private let handler: any MIMEHandler
    private let budget: MIMEParser.Budget
    private var state = State.undecided
    private var head: [UInt8] = []
    private static let headLength = 1_024

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
        case .leaf: try handler.content(bytes)
        }
    }

    func finish() throws(MailError) {
        if case .undecided = state { try decide() }
        switch state {
        case .message(var stream): try stream.finish()
        case .leaf: try handler.end()
        case .undecided: break
        }
    }

    private func decide() throws(MailError) {
        if HeaderBlock.isBegun(in: head) {
            state = .message(
                MIMEStream(limits: limits, handler: handler, nesting: part.nesting + 1, budget: budget))
        } else {
            try handler.begin(part)
            state = .leaf
        }
        let bytes = head
        head = []
        try bytes.lend { (bytes) throws(MailError) in try take(bytes) }
    }
}
