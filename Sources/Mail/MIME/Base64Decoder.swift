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

    /// Decodes all of `input` into `output`, which must have room for as many bytes; returns how many it wrote.
    mutating func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        precondition(output.count >= input.count + 4)
        return Self.tables.withUnsafeBufferPointer { tables in
            var position = 0
            var written = 0
            while position < input.count {
                if count == 0 { decodeGroups(input, &position, output, &written, tables) }
                guard position < input.count else { break }
                step(input[position], output, &written, tables)
                position += 1
            }
            return written
        }
    }

    /// Writes what a missing padding left over.
    mutating func finish(into output: UnsafeMutableRawBufferPointer) -> Int {
        var written = 0
        flush(output, &written)
        return written
    }

    /// The fast way: whole groups of four characters of the alphabet.
    private func decodeGroups(
        _ input: UnsafeRawBufferPointer, _ position: inout Int, _ output: UnsafeMutableRawBufferPointer,
        _ written: inout Int, _ tables: UnsafeBufferPointer<UInt32>
    ) {
        while position + 4 <= input.count {
            let four = UInt32(littleEndian: input.loadUnaligned(fromByteOffset: position, as: UInt32.self))
            let group =
                tables[Int(four & 0xFF)] | tables[256 + Int(four >> 8 & 0xFF)]
                | tables[512 + Int(four >> 16 & 0xFF)] | tables[768 + Int(four >> 24)]
            guard group & Self.invalid == 0 else { return }
            // The fourth byte is overwritten by the next group; the caller left room for it.
            output.storeBytes(of: group.bigEndian, toByteOffset: written, as: UInt32.self)
            position += 4
            written += 3
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
