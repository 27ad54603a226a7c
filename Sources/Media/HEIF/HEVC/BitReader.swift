/// Takes bits from the payload of a NAL unit (ITU-T H.265, sections 7.2, 7.3.1.1 and 9.2).
struct BitReader {
    private let bytes: [UInt8]
    /// In bits.
    private var position = 0

    /// Leaves out the bytes that keep start codes from appearing inside.
    init(unescaping unit: ArraySlice<UInt8>) {
        var (bytes, zeros): ([UInt8], Int) = ([], 0)
        bytes.reserveCapacity(unit.count)
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    /// A number of up to 32 bits.
    mutating func bits(_ count: Int) throws(Malformed) -> Int {
        guard count <= 8 * bytes.count - position else { throw Malformed("its parameters end too early") }
        var number = 0
        for _ in 0..<count {
            number = number << 1 | Int(bytes[position >> 3] >> (7 - position & 7) & 1)
            position += 1
        }
        return number
    }

    mutating func flag() throws(Malformed) -> Bool { try bits(1) == 1 }

    mutating func skip(_ count: Int) throws(Malformed) {
        guard count <= 8 * bytes.count - position else { throw Malformed("its parameters end too early") }
        position += count
    }

    /// A number in the Exp-Golomb code, ue(v).
    mutating func exponential() throws(Malformed) -> Int {
        var zeros = 0
        while try !flag() {
            zeros += 1
            guard zeros <= 32 else { throw Malformed("a parameter is too large") }
        }
        return 1 << zeros - 1 + (try bits(zeros))
    }
}
