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

    /// How long a batch should take meanwhile: its rest stays below the longest one.
    private static let work = Duration.milliseconds(50)
    private static let batches = 2...16

    /// Messages that are read with one commit.
    var batch: Int { isOn ? hastyBatch : Self.batches.upperBound }
    private var hastyBatch = Rush.batches.lowerBound

    /// Whether reading messages like this one is to rest: nobody waits for an answer about mail that we fetch.
    static func slows(_ envelope: Envelope) -> Bool { envelope.mailbox == nil }

    private var generation: Int
    private var start: ContinuousClock.Instant
    private(set) var isOn = false

    init(generation: Int, now: ContinuousClock.Instant) {
        self.generation = generation
        start = now
    }

    /// So long the last batch took; how many messages the next one has in a rush follows from that.
    mutating func note(_ count: Int, took time: Duration) {
        let fitting = Double(count) * (Self.work / max(time, .microseconds(1)))
        hastyBatch = Int(min(max(fitting, Double(Self.batches.lowerBound)), Double(Self.batches.upperBound)))
    }

    mutating func look(at generation: Int, now: ContinuousClock.Instant) {
        let time = now - start
        guard time >= Self.window else { return }
        isOn = Double(generation - self.generation) >= Self.rate * (time / .seconds(1))
        (self.generation, start) = (generation, now)
    }
}
