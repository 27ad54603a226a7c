import PinpostCore

/// Whether messages stream in so fast that receiving them needs the processor more than reading them does.
///
/// What is received is safe; it may be read a moment later. The doorbell of arrivals rings once for each commit, so its
/// rate says how busy the store is with senders who wait for an answer.
struct Rush {
    /// Commits with new messages, per second, from which on it is one; so many photos are 50 MB.
    private static let rate = 20.0
    /// How long the rate is looked at.
    private static let window = Duration.milliseconds(100)

    /// How long reading rests after a batch meanwhile: at least so long, and nine times as long as the batch took, so
    /// that pictures take no more from the senders than links do; then it goes on, rush or not.
    private static let shortestRest = Duration.milliseconds(50)
    private static let longestRest = Duration.seconds(1)

    static func rest(after work: Duration) -> Duration { min(max(work * 9, shortestRest), longestRest) }

    private var generation: Int
    private var start: ContinuousClock.Instant
    private(set) var isOn = false

    init(generation: Int, now: ContinuousClock.Instant) {
        self.generation = generation
        start = now
    }

    mutating func look(at generation: Int, now: ContinuousClock.Instant) {
        let time = now - start
        guard time >= Self.window else { return }
        isOn = Double(generation - self.generation) >= Self.rate * (time / .seconds(1))
        (self.generation, start) = (generation, now)
    }
}
