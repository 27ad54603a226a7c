/// Decodes quoted-printable (RFC 2045 section 6.7) in pieces.
///
/// White space before a line end is dropped, also after the `=` of a soft line break; a `=` that introduces nothing
/// stays as it is.
struct QuotedPrintableDecoder {
    private enum State {
        case text
        case equals
        case hexDigit(UInt8)
        /// After `=` and white space: a soft line break with blanks behind it, or no break at all.
        case blanksAfterEquals
        /// After `=` and CR.
        case softReturn
    }

    private var state = State.text
    /// White space that is dropped if the line ends here; longer runs are text.
    private var blanks: [UInt8] = []
    private static let longestBlanks = 1_000

    /// Decodes all of `input`, which begins where the last piece ended.
    mutating func decode(_ input: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        var start = 0
        for position in 0..<input.count {
            let byte = input[position]
            if case .text = state, blanks.isEmpty, !Self.isSpecial(byte) { continue }
            if case .text = state, blanks.isEmpty { output.append(contentsOf: input[start..<position]) }
            step(byte, into: &output)
            start = position + 1
        }
        if case .text = state, blanks.isEmpty, start < input.count { output.append(contentsOf: input[start...]) }
    }

    /// Writes what was held back.
    mutating func finish(into output: inout [UInt8]) {
        switch state {
        case .text: break
        case .equals, .blanksAfterEquals, .softReturn: blanks.removeAll()
        case .hexDigit(let digit): output += [UInt8(ascii: "="), digit]
        }
        blanks.removeAll()
        state = .text
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "=") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private mutating func step(_ byte: UInt8, into output: inout [UInt8]) {
        switch state {
        case .text: text(byte, into: &output)
        case .equals: afterEquals(byte, into: &output)
        case .hexDigit(let first):
            state = .text
            if let high = hexValue(of: first), let low = hexValue(of: byte) {
                output.append(high << 4 | low)
            } else {
                output += [UInt8(ascii: "="), first]
                text(byte, into: &output)
            }
        case .blanksAfterEquals:
            if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { return blanks.append(byte) }
            if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") {
                blanks.removeAll()
                return afterEquals(byte, into: &output)
            }
            output.append(UInt8(ascii: "="))
            state = .text
            text(byte, into: &output)
        case .softReturn:
            state = .text
            if byte != UInt8(ascii: "\n") { text(byte, into: &output) }
        }
    }

    private mutating func afterEquals(_ byte: UInt8, into output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\n"): state = .text
        case UInt8(ascii: "\r"): state = .softReturn
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            state = .blanksAfterEquals
            blanks.append(byte)
        case _ where hexValue(of: byte) != nil: state = .hexDigit(byte)
        default:
            output.append(UInt8(ascii: "="))
            state = .text
            text(byte, into: &output)
        }
    }

    private mutating func text(_ byte: UInt8, into output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            if blanks.count == Self.longestBlanks { release(into: &output) }
            blanks.append(byte)
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            blanks.removeAll(keepingCapacity: true)
            output.append(byte)
        case UInt8(ascii: "="):
            release(into: &output)
            state = .equals
        default:
            release(into: &output)
            output.append(byte)
        }
    }

    private mutating func release(into output: inout [UInt8]) {
        output += blanks
        blanks.removeAll(keepingCapacity: true)
    }
}
