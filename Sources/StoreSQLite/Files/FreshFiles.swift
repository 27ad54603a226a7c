internal import PinpostCore
internal import Synchronization

/// The spool files that this process wrote a moment ago: they are read without being compared with their digests.
///
/// Files of an earlier run are never among them, nor is what has lain on the disk for a while.
final class FreshFiles: Sendable {
    /// Files that are known at the same time, and for how long.
    static let limit = 1_024
    static let age = Duration.seconds(300)

    private struct Written {
        var times: [Blob.ID: ContinuousClock.Instant] = [:]
        /// In the order of writing, once around.
        var ring: [Blob.ID] = []
        var oldest = 0
    }

    private let written = Mutex(Written())

    func note(_ id: Blob.ID, at now: ContinuousClock.Instant) {
        written.withLock { written in
            written.times[id] = now
            guard written.ring.count == Self.limit else { return written.ring.append(id) }
            written.times[written.ring[written.oldest]] = nil
            written.ring[written.oldest] = id
            written.oldest = (written.oldest + 1) % Self.limit
        }
    }

    func contains(_ id: Blob.ID, at now: ContinuousClock.Instant) -> Bool {
        written.withLock { written in written.times[id].map { now - $0 < Self.age } ?? false }
    }
}
