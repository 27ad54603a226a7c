public import FoundationEssentials

/// When a failed attempt is made again: 5 s, 30 s, 2 m, 10 m, 30 m, 2 h, 6 h, 12 h, then every 12 h, ±20 %, for 5 days.
public struct RetryPolicy: Sendable, Hashable {
    /// Pauses after the first, second … attempt, in seconds; the last one repeats.
    public var pauses: [TimeInterval] = [5, 30, 120, 600, 1_800, 7_200, 21_600, 43_200]
    /// The share by which a pause is lengthened or shortened at random, so that many items do not come back at once.
    public var jitter = 0.2
    /// From the item's first moment in the queue, in seconds; afterwards it is parked.
    public var horizon: TimeInterval = 5 * 86_400
    /// What a server may ask for with `Retry-After`, in seconds.
    public var retryAfterRange: ClosedRange<TimeInterval> = 1...86_400

    public init() {}

    /// The time of the next attempt after `attempt` attempts (1 for the first), or nil when the horizon is passed.
    ///
    /// `retryAfter` is what the server asked for, in seconds: clamped, and never shortened by jitter.
    public func next(
        after attempt: Int, retryAfter: TimeInterval? = nil, queuedAt: Date, now: Date,
        using random: inout some RandomNumberGenerator
    ) -> Date? {
        guard now.timeIntervalSince(queuedAt) < horizon else { return nil }
        let base = pauses[min(max(attempt, 1), pauses.count) - 1]
        let pause = base * Double.random(in: (1 - jitter)...(1 + jitter), using: &random)
        guard let retryAfter else { return now + pause }
        let asked = min(max(retryAfter, retryAfterRange.lowerBound), retryAfterRange.upperBound)
        return now + max(pause, asked)
    }
}
