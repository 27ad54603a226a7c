public import FoundationEssentials

/// Stops calls to a server that keeps failing: 5 failures in a row open it for 30 s, doubling up to 30 minutes.
///
/// While it is open no attempt is burnt; afterwards one item is let through, and its success closes it.
public struct Breaker: Sendable, Hashable {
    public static let threshold = 5
    public static let firstPause: TimeInterval = 30
    public static let longestPause: TimeInterval = 1_800

    /// Failures since the last success.
    public private(set) var failures: Int

    public init(failures: Int = 0) { self.failures = failures }

    /// Half-open: let one call through and see.
    public var isTrial: Bool { failures >= Self.threshold }

    public mutating func succeed() { failures = 0 }

    /// Counts a failure; the result is the time until which nothing is sent, or nil while the breaker stays closed.
    public mutating func fail(at now: Date) -> Date? {
        failures = min(failures + 1, 1_000)
        guard failures >= Self.threshold else { return nil }
        let doublings = min(failures - Self.threshold, 6)
        return now + min(Self.firstPause * Double(1 << doublings), Self.longestPause)
    }
}
