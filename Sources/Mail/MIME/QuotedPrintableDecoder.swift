internal import CVectors

/// Decodes quoted-printable (RFC 2045 section 6.7) in pieces.
///
/// White space before a line end is dropped, also after the `=` of a soft line break; a `=` that introduces nothing
/// stays as it is. Text goes 64 bytes at a time; what is cut by the end of a piece, or wrong, goes byte by byte.
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
    /// How much more than its input a call may write: what was held back before.
    static let slack = longestBlanks + 16

    /// Decodes all of `input`, which begins where the last piece ended; `output` has room for it and `slack`.
    mutating func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        precondition(output.count >= input.count + Self.slack)
        var out = Output(output)
        var position = 0
        while position < input.count {
            if case .text = state, blanks.isEmpty { decodeText(input, &position, &out) }
            guard position < input.count else { break }
            step(input[position], &out)
            position += 1
        }
        return out.count
    }

    /// Writes what was held back.
    mutating func finish(into output: UnsafeMutableRawBufferPointer) -> Int {
        var out = Output(output)
        if case .hexDigit(let digit) = state {
            out.append(UInt8(ascii: "="))
            out.append(digit)
        }
        blanks.removeAll()
        state = .text
        return out.count
    }

    /// Where decoded bytes go; the caller made it large enough.
    private struct Output {
        let bytes: UnsafeMutableRawBufferPointer
        var count = 0

        init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

        mutating func append(_ byte: UInt8) {
            bytes[count] = byte
            count += 1
        }
    }
}

// MARK: - 64 bytes at a time
extension QuotedPrintableDecoder {
    /// Decodes as far as it goes: to the end of the input, or to a `=` that is cut or introduces nothing.
    private mutating func decodeText(_ input: UnsafeRawBufferPointer, _ position: inout Int, _ out: inout Output) {
        guard let start = input.baseAddress, let base = out.bytes.baseAddress else { return }
        Self.escapes.withUnsafeBufferPointer { escapes in
            var stretch = Stretch(
                from: start + position, end: start + input.count, to: base + out.count, escapes: escapes)
            stretch.decode()
            // The line goes on in the next piece, or byte by byte.
            let held = stretch.droppedBlanks
            position = stretch.from - start
            out.count = stretch.to - base - held
            if held > 0 { blanks = Array(UnsafeRawBufferPointer(start: stretch.to - held, count: held)) }
        }
    }

    /// What the bytes at the first and at the second place behind `=` mean, 256 entries each, to be joined by `|`.
    ///
    /// Below 0x100 the result is a byte, 0x300 is a soft line break, anything else neither.
    private static let escapes: [UInt16] = {
        let digits = (0...255).map { byte in hexValue(of: UInt8(byte)).map(UInt16.init) ?? 0x1000 }
        var escapes = digits.map { $0 << 4 & 0xF0 | $0 & 0x1000 } + digits
        escapes[Int(UInt8(ascii: "\r"))] = 0x100
        escapes[256 + Int(UInt8(ascii: "\n"))] = 0x200
        return escapes
    }()

    /// What is decoded in one go, by bare pointers: they stay in registers, and nothing is checked twice.
    ///
    /// `from` never passes `end`, and `to` advances by no more than `from` does; `decode` saw to the room. What
    /// `copyPlain` reads and writes beyond its count lies within the `stride` that `decode` leaves to the end.
    private struct Stretch {
        private(set) var from: UnsafeRawPointer
        let end: UnsafeRawPointer
        private(set) var to: UnsafeMutableRawPointer
        let escapes: UnsafeBufferPointer<UInt16>
        /// Where the blanks begin that are text unless the line ends.
        private var floor: UnsafeMutableRawPointer

        init(
            from: UnsafeRawPointer, end: UnsafeRawPointer, to: UnsafeMutableRawPointer,
            escapes: UnsafeBufferPointer<UInt16>
        ) {
            (self.from, self.end, self.to, self.escapes, floor) = (from, end, to, escapes, to)
        }

        mutating func decode() {
            while end - from >= Self.blockLength + Self.stride {
                guard decodeBlock() else { return }
            }
            while from < end {
                let byte = from.load(as: UInt8.self)
                guard byte == UInt8(ascii: "=") || byte <= 0x0D ? take(byte) : append(byte) else { return }
            }
        }

        /// Decodes the next 64 bytes, and what an escape at their end has behind them; false where `take` is.
        @inline(__always)
        private mutating func decodeBlock() -> Bool {
            let start = from
            var finds = pinpost_bytes_that_are(start, UInt8(ascii: "="), 0x0E)
            while finds != 0 {
                copyPlain(upTo: start + finds.trailingZeroBitCount)
                guard take(from.load(as: UInt8.self)) else { return false }
                let done = from - start
                guard done < Self.blockLength else { return true }
                finds = (finds &>> done) &<< done
            }
            copyPlain(upTo: start + Self.blockLength)
            return true
        }

        /// Takes a `=` or a control character; false for a `=` that is cut or introduces nothing.
        @inline(__always)
        private mutating func take(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "="):
                guard decodeEscape() || passSoftBreak() else { return false }
                floor = to
                return true
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                to -= droppedBlanks
                defer { floor = to }
                return append(byte)
            default: return append(byte)
            }
        }

        /// Copies the bytes before `place`, at most a block of them; may write as many more as `stride`.
        @inline(__always)
        private mutating func copyPlain(upTo place: UnsafeRawPointer) {
            let count = place - from
            copyStride(at: 0)
            if count > Self.stride { copyStride(at: Self.stride) }
            from = place
            to += count
        }

        @inline(__always)
        private func copyStride(at offset: Int) {
            let bytes = from.loadUnaligned(fromByteOffset: offset, as: SIMD32<UInt8>.self)
            UnsafeMutableRawPointer(to + offset).storeBytes(of: bytes, as: SIMD32<UInt8>.self)
        }

        private static let blockLength = 64
        private static let stride = 32

        /// Decodes `=XX`, or passes a soft line break without blanks; false where neither stands here.
        ///
        /// One way for both, without a branch: which of them comes next cannot be foretold.
        @inline(__always)
        private mutating func decodeEscape() -> Bool {
            guard end - from >= 3 else { return false }
            let first = Int(from.load(fromByteOffset: 1, as: UInt8.self))
            let second = Int(from.load(fromByteOffset: 2, as: UInt8.self))
            let escape = escapes[first] | escapes[256 + second]
            guard escape < 0x100 || escape == 0x300 else { return false }
            to.storeBytes(of: UInt8(truncatingIfNeeded: escape), as: UInt8.self)
            to += 1 - Int(escape >> 9)
            from += 3
            return true
        }

        /// Goes to the next line; false where the `=` is no soft line break, or the break is not all there.
        @inline(__always)
        private mutating func passSoftBreak() -> Bool {
            var rest = from + 1
            while rest < end, rest - from < longestBlanks, Self.isBlank(rest.load(as: UInt8.self)) { rest += 1 }
            guard rest < end else { return false }
            if rest.load(as: UInt8.self) == UInt8(ascii: "\r") { rest += 1 }
            guard rest < end, rest.load(as: UInt8.self) == UInt8(ascii: "\n") else { return false }
            from = rest + 1
            return true
        }

        @inline(__always)
        private mutating func append(_ byte: UInt8) -> Bool {
            to.storeBytes(of: byte, as: UInt8.self)
            to += 1
            from += 1
            return true
        }

        /// How many blanks at the end are dropped if the line ends; of a long run only what is over whole thousands.
        var droppedBlanks: Int {
            var start = to
            while start > floor, Self.isBlank((start - 1).load(as: UInt8.self)) { start -= 1 }
            let run = to - start
            return run > longestBlanks ? (run - 1) % longestBlanks + 1 : run
        }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    }
}

// MARK: - Byte by byte
extension QuotedPrintableDecoder {
    private mutating func step(_ byte: UInt8, _ out: inout Output) {
        switch state {
        case .text: text(byte, &out)
        case .equals: afterEquals(byte, &out)
        case .hexDigit(let first):
            state = .text
            if let high = hexValue(of: first), let low = hexValue(of: byte) {
                out.append(high << 4 | low)
            } else {
                out.append(UInt8(ascii: "="))
                out.append(first)
                text(byte, &out)
            }
        case .blanksAfterEquals:
            let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
            if isBlank, blanks.count < Self.longestBlanks { return blanks.append(byte) }
            if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") {
                blanks.removeAll()
                return afterEquals(byte, &out)
            }
            out.append(UInt8(ascii: "="))
            state = .text
            text(byte, &out)
        case .softReturn:
            state = .text
            if byte != UInt8(ascii: "\n") { text(byte, &out) }
        }
    }

    private mutating func afterEquals(_ byte: UInt8, _ out: inout Output) {
        switch byte {
        case UInt8(ascii: "\n"): state = .text
        case UInt8(ascii: "\r"): state = .softReturn
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            state = .blanksAfterEquals
            blanks.append(byte)
        case _ where hexValue(of: byte) != nil: state = .hexDigit(byte)
        default:
            out.append(UInt8(ascii: "="))
            state = .text
            text(byte, &out)
        }
    }

    private mutating func text(_ byte: UInt8, _ out: inout Output) {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            if blanks.count == Self.longestBlanks { release(&out) }
            blanks.append(byte)
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            blanks.removeAll(keepingCapacity: true)
            out.append(byte)
        case UInt8(ascii: "="):
            release(&out)
            state = .equals
        default:
            release(&out)
            out.append(byte)
        }
    }

    private mutating func release(_ out: inout Output) {
        for blank in blanks { out.append(blank) }
        blanks.removeAll(keepingCapacity: true)
    }
}
