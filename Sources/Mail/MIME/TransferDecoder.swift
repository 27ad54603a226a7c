/// Undoes the `Content-Transfer-Encoding` of one part, piece by piece (RFC 2045 section 6).
struct TransferDecoder {
    enum Encoding: Sendable, Hashable {
        /// 7bit, 8bit, binary and whatever we do not know.
        case identity
        case base64
        case quotedPrintable
        case uuencode

        init(_ header: HeaderBlock) {
            let field = header.raw("content-transfer-encoding") ?? []
            // A comment may stand behind it (RFC 5322 section 3.2.2).
            let label = field.prefix { $0 != UInt8(ascii: "(") }
            switch String(token: label.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ";") }) {
            case "base64", "b", "base-64": self = .base64
            case "quoted-printable", "quotedprintable", "qp", "quoted/printable": self = .quotedPrintable
            case "uuencode", "x-uuencode", "uue", "x-uue": self = .uuencode
            default: self = .identity
            }
        }
    }

    private enum Work {
        case identity
        case base64(Base64Decoder)
        case quotedPrintable(QuotedPrintableDecoder)
        case uuencode(UUBodyDecoder)
    }

    private var work = Work.identity
    /// Kept from part to part.
    private var output: [UInt8] = []

    /// Begins with another part.
    mutating func begin(_ encoding: Encoding) {
        switch encoding {
        case .identity: work = .identity
        case .base64: work = .base64(Base64Decoder())
        case .quotedPrintable: work = .quotedPrintable(QuotedPrintableDecoder())
        case .uuencode: work = .uuencode(UUBodyDecoder())
        }
    }

    /// Hands the decoded bytes to `body`; they do not outlive the call.
    mutating func decode(
        _ input: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(MailError) -> Void
    ) throws(MailError) {
        switch work {
        case .identity: try body(input)
        case .base64(var decoder):
            makeRoom(input.count + 4)
            let count = output.withUnsafeMutableBytes { decoder.decode(input, into: $0) }
            work = .base64(decoder)
            try lend(count, body)
        case .quotedPrintable(var decoder):
            work = .identity  // Gives up the copy, so that the decoder's buffer stays unshared.
            makeRoom(input.count + QuotedPrintableDecoder.slack)
            let count = output.withUnsafeMutableBytes { decoder.decode(input, into: $0) }
            work = .quotedPrintable(decoder)
            try lend(count, body)
        case .uuencode(var decoder):
            output.removeAll(keepingCapacity: true)
            decoder.decode(input, into: &output)
            work = .uuencode(decoder)
            try lend(output.count, body)
        }
    }

    /// Hands over what was held back until the end of the part was known.
    mutating func finish(_ body: (UnsafeRawBufferPointer) throws(MailError) -> Void) throws(MailError) {
        switch work {
        case .identity: break
        case .base64(var decoder):
            makeRoom(4)
            // First the count, then the call: a call reads `self` before its arguments change it.
            let count = output.withUnsafeMutableBytes { decoder.finish(into: $0) }
            try lend(count, body)
        case .quotedPrintable(var decoder):
            makeRoom(QuotedPrintableDecoder.slack)
            let count = output.withUnsafeMutableBytes { decoder.finish(into: $0) }
            try lend(count, body)
        case .uuencode(var decoder):
            output.removeAll(keepingCapacity: true)
            decoder.finish(into: &output)
            work = .uuencode(decoder)
            try lend(output.count, body)
        }
    }

    /// How the decoded content came, once it is finished, of a part that came like `arrival`.
    func arrival(in arrival: Arrival) -> Arrival {
        if case .uuencode(let decoder) = work { return decoder.arrival(in: arrival) }
        return arrival
    }

    private mutating func makeRoom(_ count: Int) {
        if output.count < count { output = [UInt8](repeating: 0, count: count) }
    }

    private func lend(
        _ count: Int, _ body: (UnsafeRawBufferPointer) throws(MailError) -> Void
    ) throws(MailError) {
        guard count > 0 else { return }
        try output.lend { (bytes) throws(MailError) in
            try body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }
}
