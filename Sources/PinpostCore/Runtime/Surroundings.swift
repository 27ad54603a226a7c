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

    public func makeID<Subject>() -> Identifier<Subject> {
        var random = random()
        return .random(using: &random)
    }
}
