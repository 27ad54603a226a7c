internal import PinpostCore
internal import Synchronization

/// What the library's callbacks and the service share; it outlives the library's thread.
final class ListenerCore: Sendable {
    let handler: any RequestHandler
    let blobs: any BlobStore
    let pool: BlockingPool
    let limits: ListenerLimits
    let gate: RequestGate
    let table: ConnectionTable
    private let exchanges = Mutex<[ObjectIdentifier: Exchange]>([:])
    private let draining = Atomic(false)

    init(handler: any RequestHandler, blobs: any BlobStore, pool: BlockingPool, limits: ListenerLimits) {
        self.handler = handler
        self.blobs = blobs
        self.pool = pool
        self.limits = limits
        gate = RequestGate(limits: limits)
        table = ConnectionTable(limits: limits)
    }

    /// New connections are no longer taken, and every answer closes its own.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func drain() {
        draining.store(true, ordering: .relaxed)
        table.cutIdle()
    }

    func admits(_ peer: PeerAddress) -> Bool { !isDraining && table.hasRoom(for: peer) }

    // MARK: - Requests under way

    var openExchanges: Int { exchanges.withLock { $0.count } }

    func started(_ exchange: Exchange) { exchanges.withLock { $0[ObjectIdentifier(exchange)] = exchange } }

    func completed(_ exchange: Exchange) {
        exchange.end()
        exchanges.withLock { $0[ObjectIdentifier(exchange)] = nil }
    }

    func cancelExchanges() {
        let open = exchanges.withLock { Array($0.values) }
        for exchange in open { exchange.cancel() }
    }
}
