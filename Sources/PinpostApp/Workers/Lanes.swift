import PinpostCore
import Synchronization

/// What the tasks that work off one leased server know of each other.
final class Lanes: Sendable {
    private struct State {
        var workers: Int
        var idle = 0
        /// Items whose preparation is under way.
        var preparing = 0
        /// Prepared and not yet on their way to Pinry, as far as this lease has seen.
        var ahead: Set<Item.ID> = []
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

    var hasRoom: Bool { state.withLock { $0.ahead.count < Self.room } }

    func end() {
        state.withLock { $0.isOver = true }
        signal.fire()
    }

    /// The preparation of an item begins; `finished` has to follow.
    func began() { state.withLock { $0.preparing += 1 } }

    /// A step was finished: `next` is where it led, nil when it failed.
    func finished(_ items: [Item], next: Item.Step?) {
        state.withLock { state in
            for item in items {
                guard item.step == .prepare else {
                    state.ahead.remove(item.id)
                    continue
                }
                state.preparing -= 1
                if let next, next < .done { state.ahead.insert(item.id) }
            }
        }
        signal.fire()
    }

    /// Waits for something to do; when every worker waits and nothing is being prepared, all of them end.
    ///
    /// `generation` is the signal's from before the search for work.
    func idle(after generation: Int) async {
        let isOver = state.withLock { state in
            state.idle += 1
            return state.idle == state.workers && state.preparing == 0
        }
        guard !isOver else { return end() }
        await signal.wait(after: generation, upTo: .seconds(1))
        state.withLock { $0.idle -= 1 }
    }
}
