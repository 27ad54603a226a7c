internal import Synchronization

/// All open connections: counts them per peer, and cuts those whose time is over.
final class ConnectionTable: Sendable {
    private struct State {
        var open: [ObjectIdentifier: Connection] = [:]
        var perPeer: [PeerAddress: Int] = [:]
    }

    private let limits: ListenerLimits
    private let state = Mutex(State())

    init(limits: ListenerLimits) { self.limits = limits }

    var count: Int { state.withLock { $0.open.count } }

    func hasRoom(for peer: PeerAddress) -> Bool {
        state.withLock { $0.perPeer[peer, default: 0] < limits.connectionsPerPeer }
    }

    func add(_ connection: Connection) {
        state.withLock { state in
            state.open[ObjectIdentifier(connection)] = connection
            state.perPeer[connection.peer, default: 0] += 1
        }
    }

    /// To be called before the socket is closed: the sweep must never cut somebody else's.
    func remove(_ connection: Connection) {
        state.withLock { state in
            state.open[ObjectIdentifier(connection)] = nil
            let count = state.perPeer[connection.peer, default: 0] - 1
            state.perPeer[connection.peer] = count > 0 ? count : nil
        }
    }

    /// Enforces the deadlines; when nearly all places are taken, those that have waited longest give up theirs.
    func sweep(at now: ContinuousClock.Instant) {
        state.withLock { state in
            for connection in state.open.values { connection.sweep(at: now, limits: limits) }
            let excess = state.open.count - limits.connections * 9 / 10
            guard excess > 0 else { return }
            let waiting = state.open.values.compactMap { connection in
                connection.idleTime(at: now).map { (connection, $0) }
            }
            for (connection, _) in waiting.sorted(by: { $0.1 > $1.1 }).prefix(excess) { connection.cutIfIdle() }
        }
    }

    func cutIdle() {
        state.withLock { state in
            for connection in state.open.values { connection.cutIfIdle() }
        }
    }
}
