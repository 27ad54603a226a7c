internal import PinpostCore

extension [UInt8] {
    /// Lends the bytes with typed throws, which the standard library's `withUnsafeBytes` lacks.
    func lend<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        try withUnsafeBufferPointer { (bytes) throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
    }
}

/// The value of a hexadecimal digit in either case.
func hexValue(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
}

extension String {
    /// ASCII letters in lower case, everything else as it is: for names and labels, whose case rules know no others.
    init(lowercasing bytes: some Collection<UInt8>) {
        self.init(unsafeUninitializedCapacity: bytes.count) { buffer in
            var count = 0
            for byte in bytes {
                buffer[count] = byte.asciiLowercased
                count += 1
            }
            return count
        }
    }

    /// What stands for a token: in lower case, without blanks and controls wherever they are.
    init(token bytes: some Collection<UInt8>) {
        self.init(unsafeUninitializedCapacity: bytes.count) { buffer in
            var count = 0
            for byte in bytes where byte > 0x20 {
                buffer[count] = byte.asciiLowercased
                count += 1
            }
            return count
        }
    }
}
