/// Takes the dots off a mail as it comes behind DATA, and finds its end (RFC 5321 section 4.5.2).
///
/// Only CR LF ends a line. A lone CR or LF in the text is kept; beside a line that is nothing but a dot, where other
/// programs would see the mail's end and the next command, it makes the mail refused.
struct DotDecoder {
    private enum Place {
        /// Behind CR LF, or at the beginning.
        case start
        /// Behind a dot at the start, which is dropped.
        case dot
        /// Behind dot and CR; the CR is held back.
        case dotReturn
        case text
        /// Behind a CR.
        case carriageReturn
        /// Behind a lone CR or LF.
        case bareEnd
        /// Behind a dot that follows a lone CR or LF.
        case bareDot
    }

    private var place = Place.start
    private(set) var isSmuggled = false

    /// Passes on what belongs to the mail; the result is how many bytes were its own once its end has come, else nil.
    mutating func take<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, _ pass: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> Int? {
        var start = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if place == .text, byte != Self.cr, byte != Self.lf { continue }
            switch step(byte) {
            case .keep: continue
            case .drop:
                if start < index { try pass(UnsafeRawBufferPointer(rebasing: bytes[start..<index])) }
                start = index + 1
            case .restore:
                // The held-back CR was text after all; it may have come with an earlier piece.
                try [Self.cr].lend(pass)
                start = index
            case .end: return index + 1
            }
        }
        if start < bytes.count { try pass(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
        return nil
    }

    private enum Step { case keep, drop, restore, end }

    private static let (cr, lf, dot) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "."))

    private mutating func step(_ byte: UInt8) -> Step {
        switch (place, byte) {
        case (.start, Self.dot):
            place = .dot
            return .drop
        case (.dot, Self.cr):
            place = .dotReturn
            return .drop
        case (.dot, Self.lf):
            isSmuggled = true
            place = .bareEnd
        case (.dotReturn, Self.lf): return .end
        case (.dotReturn, _):
            isSmuggled = true
            place = after(bareEnd: byte)
            return .restore
        case (.bareDot, Self.cr), (.bareDot, Self.lf):
            isSmuggled = true
            place = byte == Self.cr ? .carriageReturn : .bareEnd
        case (.carriageReturn, Self.lf): place = .start
        case (.carriageReturn, _), (.bareEnd, _): place = after(bareEnd: byte)
        default: place = byte == Self.cr ? .carriageReturn : byte == Self.lf ? .bareEnd : .text
        }
        return .keep
    }

    private func after(bareEnd byte: UInt8) -> Place {
        switch byte {
        case Self.dot: .bareDot
        case Self.cr: .carriageReturn
        case Self.lf: .bareEnd
        default: .text
        }
    }
}
