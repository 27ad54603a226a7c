/// Keeps looks at a folder from following each other without end, whatever the server says to bring them about.
struct LookPace {
    private let pause: Duration
    /// What may be run up at once.
    private let allowance: Duration
    /// When all looks so far would be over, each of them one pause long.
    private var paid: ContinuousClock.Instant

    init(atOnce count: Int, pause: Duration, now: ContinuousClock.Instant) {
        self.pause = pause
        allowance = pause * max(count - 1, 0)
        paid = now
    }

    /// Counts one look, and says how long it has to wait.
    mutating func delay(at now: ContinuousClock.Instant) -> Duration {
        let start = max(now, paid - allowance)
        paid = max(paid, start) + pause
        return start - now
    }
}
