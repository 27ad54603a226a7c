internal import FoundationEssentials

/// How often something may happen: a supply that is used up, and comes back at an even rate.
public struct Rate: Sendable, Hashable {
    /// What comes back in a second.
    public var perSecond: Double
    /// The greatest supply.
    public var burst: Double

    public init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }

    /// So much in a time, all of it at once if need be.
    public init(_ amount: Int, per seconds: Double) {
        self.init(perSecond: Double(amount) / seconds, burst: Double(amount))
    }
}

/// The supply of one client.
///
/// It may go below zero, since what a request costs is sometimes known only afterwards; nothing is given out then.
struct TokenBucket {
    private var level: Double
    private var updated: Date

    init(_ rate: Rate, at now: Date) {
        level = rate.burst
        updated = now
    }

    /// nil when so much is there; else how long it takes to come back, in seconds.
    ///
    /// More than the greatest supply counts as the greatest supply: it is never refused for good.
    mutating func lack(of amount: Double, _ rate: Rate, at now: Date) -> Double? {
        refill(rate, at: now)
        let wanted = min(amount, rate.burst)
        guard level < wanted else { return nil }
        return rate.perSecond > 0 ? (wanted - level) / rate.perSecond : .infinity
    }

    mutating func spend(_ amount: Double, _ rate: Rate, at now: Date) {
        refill(rate, at: now)
        level = max(level - amount, -rate.burst)
    }

    mutating func isFull(_ rate: Rate, at now: Date) -> Bool {
        refill(rate, at: now)
        return level >= rate.burst
    }

    /// A clock that was set back gives nothing.
    private mutating func refill(_ rate: Rate, at now: Date) {
        let time = max(now.timeIntervalSince(updated), 0)
        level = min(level + time * rate.perSecond, rate.burst)
        updated = now
    }
}
