import PinpostCore
import Synchronization

/// What the tasks that work off one leased server know of each other.
final class Lanes: Sendable {
    private struct State {
        var workers: Int
        var idle = 0
        /// Prepared and not yet uploaded, as far as this lease has seen.
        var ahead = 0
        var isOver = false
    }

    /// Items that may wait for their upload: more would only fill the disk.
    private static let room = 16

    /// Fires when a worker has done something, so that others may find work.
    let signal = Signal()
    private let state: Mutex<State>

    init(workers: Int) { state = Mutex(State(workers: workers)) }

    /// Nothing is left to do, the store fails, or the lease is lost.
    var isOver: Bool { state.withLock { $0.isOver } }

    var hasRoom: Bool { state.withLock { $0.ahead < Self.room } }

    func end() {
        state.withLock { $0.isOver = true }
        signal.fire()
    }

    /// A step was finished, well or not.
    func finished(_ step: Item.Step) {
        state.withLock { state in
            switch step {
            case .prepare: state.ahead += 1
            case .upload: state.ahead = max(state.ahead - 1, 0)
            case .pin, .board, .done: break
            }
        }
        signal.fire()
    }

    /// Waits for something to do; when every worker waits, there is nothing, and all of them end.
    ///
    /// `generation` is the signal's from before the search for work.
    func idle(after generation: Int) async {
        let isOver = state.withLock { state in
            state.idle += 1
            return state.idle == state.workers
        }
        guard !isOver else { return end() }
        await signal.wait(after: generation, upTo: .seconds(1))
        state.withLock { $0.idle -= 1 }
    }
}
