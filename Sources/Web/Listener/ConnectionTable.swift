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

    /// Whether one more connection may come; when the places are taken, the one that has waited longest gives up its own.
    func makeRoom(for peer: PeerAddress) -> Bool {
        state.withLock { state in
            if state.perPeer[peer, default: 0] >= limits.connectionsPerPeer, !isProxy(peer) {
                return Self.cutLongestWaiting(of: state.open.values.lazy.filter { $0.peer == peer })
            }
            // A tenth is left for the moment that the library needs to close the other one.
            return state.open.count < limits.connections * 9 / 10 || Self.cutLongestWaiting(of: state.open.values)
        }
    }

    private func isProxy(_ peer: PeerAddress) -> Bool {
        guard let address = NetworkAddress(peer.text) else { return false }
        return limits.proxies.contains { $0.contains(address) }
    }

    /// False when all of them are at work.
    private static func cutLongestWaiting(of connections: some Sequence<Connection>) -> Bool {
        let now = ContinuousClock.now
        let waiting = connections.compactMap { connection in connection.waitingTime(at: now).map { (connection, $0) } }
        guard let longest = waiting.max(by: { $0.1 < $1.1 }) else { return false }
        longest.0.giveWay()
        return true
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

    func sweep(at now: ContinuousClock.Instant) {
        state.withLock { state in
            for connection in state.open.values { connection.sweep(at: now, limits: limits) }
        }
    }

    func cutIdle() {
        state.withLock { state in
            for connection in state.open.values { connection.cutIfIdle() }
        }
    }
}
