public import FoundationEssentials

/// What the rules may not reach for themselves: the time and randomness.
public struct Surroundings: Sendable {
    public var now: @Sendable () -> Date
    public var random: @Sendable () -> any RandomNumberGenerator

    public init(
        now: @escaping @Sendable () -> Date, random: @escaping @Sendable () -> any RandomNumberGenerator
    ) {
        self.now = now
        self.random = random
    }

    /// A name for something that happens now.
    public func makeID<Subject>() -> Identifier<Subject> {
        var random = random()
        return .random(at: now(), using: &random)
    }

    /// A key of 32 bytes for a delivery that nothing marks as a repeat of another; it begins with the time.
    public func makeKey() -> [UInt8] {
        // By eight bytes at a time: each draw locks OpenSSL's generator.
        var random = random()
        let words = [random.next(), random.next(), random.next()]
        return OrderedTime.bytes(now()) + words.withUnsafeBytes { Array($0) }
    }
}
