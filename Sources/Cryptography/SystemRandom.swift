internal import COpenSSL

/// OpenSSL's random numbers, seeded by the kernel: for keys, tokens and identifiers.
public struct SystemRandom: RandomNumberGenerator, Sendable {
    public init() {}

    public mutating func next() -> UInt64 {
        var number: UInt64 = 0
        withUnsafeMutableBytes(of: &number) { Self.fill($0) }
        return number
    }

    /// Draws `count` bytes at once.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { Self.fill($0) }
        return bytes
    }

    private static func fill(_ memory: UnsafeMutableRawBufferPointer) {
        guard let base = memory.baseAddress?.assumingMemoryBound(to: UInt8.self), memory.count > 0 else { return }
        // Without randomness every key and token would be guessable: there is no honest way on.
        precondition(RAND_bytes(base, CInt(memory.count)) == 1, "OpenSSL has no random numbers")
    }
}
