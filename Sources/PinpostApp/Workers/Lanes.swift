import PinpostCore
import Synchronization

/// What the two lanes of one leased server know of each other.
final class Lanes: Sendable {
    private struct State {
        var preparers: Int
        /// Prepared and not yet uploaded, as far as this lease has seen.
        var ahead = 0
        var deliveryIsIdle = false
        var isBroken = false
    }

    /// Items that may wait for their upload: more would only fill the disk.
    private static let room = 16

    let signal = Signal()
    private let state: Mutex<State>

    init(preparers: Int) { state = Mutex(State(preparers: preparers)) }

    /// The store failed or the lease is lost: stop, and let the release put things right.
    var isBroken: Bool { state.withLock { $0.isBroken } }

    func preparerEnds() {
        state.withLock { $0.preparers -= 1 }
        signal.fire()
    }

    func prepared() {
        state.withLock { $0.ahead += 1 }
        signal.fire()
    }

    func deliveryBegins(_ step: Item.Step) {
        state.withLock { state in
            state.deliveryIsIdle = false
            if step == .upload { state.ahead = max(state.ahead - 1, 0) }
        }
        signal.fire()
    }

    /// Nothing is due for Pinry: true when nothing can come any more.
    func deliveryIsOver() -> Bool {
        let (changed, isOver) = state.withLock { state in
            defer { state.deliveryIsIdle = true }
            return (!state.deliveryIsIdle, state.preparers == 0)
        }
        if changed { signal.fire() }
        return isOver
    }

    /// Waits until another item may be prepared; false when Pinry takes none at the moment.
    func roomToPrepare() async -> Bool {
        while !Task.isCancelled {
            let generation = signal.generation
            let (hasRoom, isStuck) = state.withLock { state in
                (state.ahead < Self.room, state.isBroken || state.deliveryIsIdle)
            }
            if hasRoom { return true }
            if isStuck { return false }
            await signal.wait(after: generation, upTo: .seconds(1))
        }
        return false
    }

    /// Runs a piece of work; an error of the store ends both lanes.
    @discardableResult
    func attempt<Result: Sendable>(
        _ logger: Logger, _ work: () async throws(StoreError) -> Result
    ) async -> Result? {
        do {
            return try await work()
        } catch {
            state.withLock { $0.isBroken = true }
            signal.fire()
            logger.error("work on a server ends early", ["reason": error.description])
            return nil
        }
    }
}
