import PinpostCore

/// Whether messages stream in so fast that receiving them needs the processor more than reading them does.
///
/// What is received is safe; it may be read a moment later. The doorbell of arrivals rings once for each commit, so its
/// rate says how busy the store is with senders who wait for an answer.
struct Rush {
    /// Commits with new messages, per second, from which on it is one.
    private static let rate = 100.0
    /// How long the rate is looked at.
    private static let window = Duration.milliseconds(100)

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
