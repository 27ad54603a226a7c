import Synchronization

/// A request to stop that any number of tasks can wait for; asking twice is asking once.
public final class Shutdown: Sendable {
    private struct State {
        var isRequested = false
        var nextKey = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    public var isRequested: Bool { state.withLock { $0.isRequested } }

    public func request() {
        let waiting = state.withLock { state in
            state.isRequested = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the stop is asked for, or when the waiting task is cancelled.
    public func wait() async {
        let key = state.withLock { state in
            state.nextKey += 1
            return state.nextKey
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isRequested || Task.isCancelled { return true }
                    state.waiting[key] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { $0.waiting.removeValue(forKey: key) }
            continuation?.resume()
        }
    }

    /// Sleeps, but no longer than until the stop is asked for or the task is cancelled.
    public func wait(upTo limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
