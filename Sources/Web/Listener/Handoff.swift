internal import CMicrohttpd
internal import Synchronization

/// Lets the library's thread start an async step without waiting for it.
///
/// The step runs at once on this thread as far as it gets; only where it has to wait is the connection suspended,
/// and the end of the step resumes it. `@unchecked Sendable` is safe: the pointer never changes, and the library
/// keeps a suspended connection alive until it is resumed.
final class Handoff: @unchecked Sendable {
    private enum State {
        case idle
        case running
        /// The step ended before the connection was suspended.
        case finished
        case suspended(Task<Void, Never>)
    }

    private let state = Mutex(State.idle)
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) { self.connection = connection }

    /// True when the step is over already; otherwise the library calls again once it is.
    func run(_ step: @escaping @Sendable () async -> Void) -> Bool {
        state.withLock { $0 = .running }
        // Nobody awaits this task by name: the listener counts its exchange and does not stop before it ends.
        let task = Task.immediate {
            await step()
            self.stepEnded()
        }
        return state.withLock { state in
            if case .finished = state {
                state = .idle
                return true
            }
            MHD_suspend_connection(connection)
            state = .suspended(task)
            return false
        }
    }

    /// Suspended, with the step still under way; a second suspension would break the library's lists.
    var isWaiting: Bool {
        state.withLock { state in
            if case .suspended = state { true } else { false }
        }
    }

    private func stepEnded() {
        state.withLock { state in
            if case .suspended = state {
                state = .idle
                MHD_resume_connection(connection)
            } else {
                state = .finished
            }
        }
    }

    /// Asks a step that is under way to give up.
    func cancel() {
        let task: Task<Void, Never>? = state.withLock { state in
            if case .suspended(let task) = state { task } else { nil }
        }
        task?.cancel()
    }
}
