import Synchronization

/// Tells waiting tasks that there may be something to do; a hint that may come too often, never too late.
///
/// Read `generation` before looking for work and pass it to `wait`: what fired in between is not missed.
public final class Signal: Sendable {
    private struct State {
        var generation = 0
        var change = Shutdown()
    }

    private let state = Mutex(State())

    public init() {}

    public var generation: Int { state.withLock { $0.generation } }

    public func fire() {
        let change = state.withLock { state in
            state.generation += 1
            defer { state.change = Shutdown() }
            return state.change
        }
        change.request()
    }

    /// Returns once the signal has fired after `generation`, after `limit`, or when the task is cancelled.
    public func wait(after generation: Int, upTo limit: Duration) async {
        let change = state.withLock { $0.generation == generation ? $0.change : nil }
        await change?.wait(upTo: limit)
    }
}
