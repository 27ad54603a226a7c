/// So many requests at once, then so many a second.
struct TokenBucket {
    private let burst: Double
    private let rate: Double
    private var tokens: Double
    private var time: ContinuousClock.Instant

    init(burst: Int, perSecond rate: Double, now: ContinuousClock.Instant) {
        self.burst = Double(max(burst, 1))
        self.rate = max(rate, 0.001)
        tokens = self.burst
        time = now
    }

    /// Takes a token, or says how long it takes until there is one.
    mutating func take(now: ContinuousClock.Instant) -> Duration? {
        refill(now)
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return .milliseconds(Int((1 - tokens) / rate * 1_000) + 1)
    }

    /// Whether nothing was taken lately.
    mutating func isFull(now: ContinuousClock.Instant) -> Bool {
        refill(now)
        return tokens >= burst
    }

    private mutating func refill(_ now: ContinuousClock.Instant) {
        let (seconds, attoseconds) = (now - time).components
        tokens = min(burst, tokens + (Double(seconds) + Double(attoseconds) / 1e18) * rate)
        time = now
    }
}
