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
    let blocks: BodyBlocks
    private struct Exchanges {
        var open: [ObjectIdentifier: Exchange] = [:]
        var isClosed = false
    }

    private let exchanges = Mutex(Exchanges())
    private let draining = Atomic(false)
    private let shutdown = Mutex<Shutdown?>(nil)

    init(handler: any RequestHandler, blobs: any BlobStore, pool: BlockingPool, limits: ListenerLimits) {
        self.handler = handler
        self.blobs = blobs
        self.pool = pool
        self.limits = limits
        gate = RequestGate(limits: limits)
        table = ConnectionTable(limits: limits)
        blocks = BodyBlocks(limits)
    }

    /// New connections are no longer taken, and every answer closes its own.
    ///
    /// From the moment when the stop is asked for: whoever waits for it may answer before the listener notices.
    var isDraining: Bool {
        draining.load(ordering: .relaxed) || shutdown.withLock { $0?.isRequested ?? false }
    }

    /// The stop that the listener will follow.
    func follow(_ shutdown: Shutdown) { self.shutdown.withLock { $0 = shutdown } }

    func drain() {
        draining.store(true, ordering: .relaxed)
        table.cutIdle()
    }

    func admits(_ peer: PeerAddress) -> Bool { !isDraining && table.makeRoom(for: peer) }

    // MARK: - Requests under way

    var openExchanges: Int { exchanges.withLock { $0.open.count } }

    /// False when the listener is about to end: the library must not be stopped with a request under way.
    func start(_ exchange: Exchange) -> Bool {
        exchanges.withLock { exchanges in
            if !exchanges.isClosed { exchanges.open[ObjectIdentifier(exchange)] = exchange }
            return !exchanges.isClosed
        }
    }

    func complete(_ exchange: Exchange) {
        exchange.end()
        exchanges.withLock { $0.open[ObjectIdentifier(exchange)] = nil }
    }

    /// True when no request is under way, and none will be any more.
    func closeIfQuiet() -> Bool {
        exchanges.withLock { exchanges in
            exchanges.isClosed = exchanges.open.isEmpty
            return exchanges.isClosed
        }
    }

    func cancelExchanges() {
        let open = exchanges.withLock { Array($0.open.values) }
        for exchange in open { exchange.cancel() }
    }
}
