import PinpostCore
import Synchronization

/// Bodies that a handler received.
final class Kept: Sendable {
    private let bodies = Mutex<[StoredBytes]>([])

    var all: [StoredBytes] { bodies.withLock { $0 } }

    func add(_ body: StoredBytes) { bodies.withLock { $0.append(body) } }
}
