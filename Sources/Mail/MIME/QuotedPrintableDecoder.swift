/// Decodes quoted-printable (RFC 2045 section 6.7) in pieces.
///
/// White space before a line end is dropped, also after the `=` of a soft line break; a `=` that introduces nothing
/// stays as it is. Text goes eight bytes at a time; what is cut by the end of a piece, or wrong, goes byte by byte.
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

// MARK: - Eight bytes at a time
extension QuotedPrintableDecoder {
    /// Decodes as far as it goes: to the end of the input, or to a `=` that is cut or introduces nothing.
    private mutating func decodeText(_ input: UnsafeRawBufferPointer, _ position: inout Int, _ out: inout Output) {
        let floor = Self.hexValues.withUnsafeBufferPointer { Self.decodeText(input, &position, &out, $0) }
        // The line goes on in the next piece, or byte by byte.
        let held = Self.droppedBlanks(out, from: floor)
        guard held > 0 else { return }
        blanks = Array(out.bytes[(out.count - held)..<out.count])
        out.count -= held
    }

    /// The result is where the blanks begin that are text unless the line ends.
    private static func decodeText(
        _ input: UnsafeRawBufferPointer, _ position: inout Int, _ out: inout Output, _ hex: UnsafeBufferPointer<Int16>
    ) -> Int {
        var floor = out.count
        while position < input.count {
            copyPlain(input, &position, &out)
            guard position < input.count else { break }
            switch input[position] {
            case UInt8(ascii: "="):
                if decodePairs(input, &position, &out, hex) {
                    floor = out.count
                    continue
                }
                guard let next = softBreak(in: input, at: position) else { return floor }
                position = next
                floor = out.count
            case let end where end == UInt8(ascii: "\r") || end == UInt8(ascii: "\n"):
                out.count -= droppedBlanks(out, from: floor)
                out.append(end)
                position += 1
                floor = out.count
            case let other:
                out.append(other)
                position += 1
            }
        }
        return floor
    }

    /// Copies up to the next `=` or control character; may write seven bytes more than it counts.
    private static func copyPlain(_ input: UnsafeRawBufferPointer, _ position: inout Int, _ out: inout Output) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        while position + 8 <= input.count {
            let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            out.bytes.storeBytes(of: word.littleEndian, toByteOffset: out.count, as: UInt64.self)
            let equals = word ^ (ones &* 0x3D)
            // The lowest set bit is exact: a borrow only comes from a byte that is itself a find.
            let found = ((equals &- ones) & ~equals | (word &- ones &* 0x0E) & ~word) & (ones &* 0x80)
            guard found == 0 else {
                let plain = found.trailingZeroBitCount >> 3
                position += plain
                out.count += plain
                return
            }
            position += 8
            out.count += 8
        }
        while position < input.count, input[position] != UInt8(ascii: "="), input[position] > 0x0D {
            out.append(input[position])
            position += 1
        }
    }

    /// Decodes the `=XX` that stand here, one behind the other; false where there is none.
    private static func decodePairs(
        _ input: UnsafeRawBufferPointer, _ position: inout Int, _ out: inout Output, _ hex: UnsafeBufferPointer<Int16>
    ) -> Bool {
        let start = position
        while position + 2 < input.count, input[position] == UInt8(ascii: "=") {
            let pair = hex[Int(input[position + 1])] << 4 | hex[Int(input[position + 2])]
            guard pair >= 0 else { break }
            out.append(UInt8(truncatingIfNeeded: pair))
            position += 3
        }
        return position > start
    }

    /// Where the next line begins; nil where the `=` is no soft line break, or the break is not all there.
    private static func softBreak(in input: UnsafeRawBufferPointer, at equals: Int) -> Int? {
        var position = equals + 1
        while position < input.count, position - equals < longestBlanks,
            input[position] == UInt8(ascii: " ") || input[position] == UInt8(ascii: "\t")
        { position += 1 }
        guard position < input.count else { return nil }
        if input[position] == UInt8(ascii: "\n") { return position + 1 }
        guard input[position] == UInt8(ascii: "\r"), position + 1 < input.count else { return nil }
        return input[position + 1] == UInt8(ascii: "\n") ? position + 2 : nil
    }

    /// -1 for what is no digit, so that a pair with one is negative.
    private static let hexValues: [Int16] = (0...255).map { byte in hexValue(of: UInt8(byte)).map(Int16.init) ?? -1 }

    /// How many blanks at the end are dropped if the line ends; of a long run only what is over whole thousands.
    private static func droppedBlanks(_ out: Output, from floor: Int) -> Int {
        var start = out.count
        while start > floor, out.bytes[start - 1] == 0x20 || out.bytes[start - 1] == 0x09 { start -= 1 }
        let run = out.count - start
        return run > longestBlanks ? (run - 1) % longestBlanks + 1 : run
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
