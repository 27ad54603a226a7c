/// Decodes base64 (RFC 2045 section 6.8) in pieces, as leniently as mails need it.
///
/// Line ends and characters outside the alphabet are skipped. Padding ends a group, not the data: some senders encode
/// in chunks and pad each one. A missing padding is no fault; a lone last character is dropped.
struct Base64Decoder {
    /// The characters of the group that is not full yet, 6 bits each.
    private var bits: UInt32 = 0
    private var count = 0
    /// Whether anything but the alphabet, padding and white space was met.
    private(set) var hasMetJunk = false

    /// Decodes all of `input` into `output`, which must have room for four more bytes; returns how many it wrote.
    mutating func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        precondition(output.count >= input.count + 4)
        guard let start = input.baseAddress, let to = output.baseAddress else { return 0 }
        return Self.tables.withUnsafeBufferPointer { tables in
            var groups = Groups(from: start, end: start + input.count, to: to, tables: tables)
            while groups.from < groups.end {
                if count == 0 { groups.decode() }
                guard groups.from < groups.end else { break }
                var written = groups.to - to
                step(groups.from.load(as: UInt8.self), output, &written, tables)
                groups.to = to + written
                groups.from += 1
            }
            return groups.to - to
        }
    }

    /// Writes what a missing padding left over.
    mutating func finish(into output: UnsafeMutableRawBufferPointer) -> Int {
        var written = 0
        flush(output, &written)
        return written
    }

    /// The fast way: whole groups of four characters of the alphabet, and the line ends between them.
    ///
    /// By bare pointers, which stay in registers; `from` never passes `end`, and `to` advances by less than `from` does.
    /// What is written behind a group is overwritten by the next; `decode` saw to the room for it.
    private struct Groups {
        var from: UnsafeRawPointer
        let end: UnsafeRawPointer
        var to: UnsafeMutableRawPointer
        let tables: UnsafeBufferPointer<UInt32>

        /// Goes as far as whole groups go.
        mutating func decode() {
            while end - from >= 4 {
                while end - from >= 8 {
                    let (first, second) = (group(at: 0), group(at: 4))
                    guard (first | second) & invalid == 0 else { break }
                    to.storeBytes(of: first.bigEndian, as: UInt32.self)
                    to.storeBytes(of: second.bigEndian, toByteOffset: 3, as: UInt32.self)
                    (from, to) = (from + 8, to + 6)
                }
                if passLineEnd() { continue }
                guard end - from >= 4 else { return }
                let group = group(at: 0)
                guard group & invalid == 0 else { return }
                to.storeBytes(of: group.bigEndian, as: UInt32.self)
                (from, to) = (from + 4, to + 3)
            }
        }

        @inline(__always)
        private func group(at offset: Int) -> UInt32 {
            let four = UInt32(littleEndian: from.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            return tables[Int(four & 0xFF)] | tables[256 + Int(four >> 8 & 0xFF)]
                | tables[512 + Int(four >> 16 & 0xFF)] | tables[768 + Int(four >> 24)]
        }

        @inline(__always)
        private mutating func passLineEnd() -> Bool {
            guard end - from >= 2 else { return false }
            let two = UInt16(littleEndian: from.loadUnaligned(as: UInt16.self))
            let length = two == 0x0A0D ? 2 : two & 0xFF == 0x0A ? 1 : 0
            from += length
            return length > 0
        }
    }

    private mutating func step(
        _ byte: UInt8, _ output: UnsafeMutableRawBufferPointer, _ written: inout Int,
        _ tables: UnsafeBufferPointer<UInt32>
    ) {
        let entry = tables[768 + Int(byte)]
        if entry & Self.invalid == 0 {
            bits = bits << 6 | entry >> 8
            count += 1
            if count == 4 { store(3, bits << 8, output, &written) }
        } else if byte == UInt8(ascii: "=") {
            flush(output, &written)
        } else if byte > 0x20 || byte == 0 {
            hasMetJunk = true
        }
    }

    private mutating func flush(_ output: UnsafeMutableRawBufferPointer, _ written: inout Int) {
        switch count {
        case 2: store(1, bits << 20, output, &written)
        case 3: store(2, bits << 14, output, &written)
        default: (bits, count) = (0, 0)
        }
    }

    /// Writes the first `length` bytes of a left-aligned group.
    private mutating func store(
        _ length: Int, _ group: UInt32, _ output: UnsafeMutableRawBufferPointer, _ written: inout Int
    ) {
        for index in 0..<length { output[written + index] = UInt8(truncatingIfNeeded: group >> (24 - 8 * index)) }
        written += length
        (bits, count) = (0, 0)
    }

    /// Marks a character outside the alphabet; below the 24 bits of a left-aligned group.
    private static let invalid: UInt32 = 1

    /// Four tables, one for each place in a group: the character's 6 bits where they belong in a left-aligned group.
    private static let tables: [UInt32] = {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var tables = [UInt32](repeating: invalid, count: 1_024)
        for place in 0..<4 {
            for (value, character) in alphabet.enumerated() {
                tables[place * 256 + Int(character)] = UInt32(value) << UInt32(26 - 6 * place)
            }
        }
        return tables
    }()
}
