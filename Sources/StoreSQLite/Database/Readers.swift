internal import PinpostCore
internal import Synchronization

/// Connections that only read, each used by one thread at a time.
final class Readers: Sendable {
    /// A connection on its way between threads.
    ///
    /// `@unchecked Sendable` is safe: whoever took one from `idle` is its only user until he puts it back.
    private struct Idle: @unchecked Sendable {
        let connection: Connection
    }

    private let pool: BlockingPool
    private let idle: Mutex<[Idle]>

    init(path: String, count: Int) throws(StoreError) {
        var connections: [Idle] = []
        for _ in 0..<count { connections.append(Idle(connection: try Connection(path: path, mode: .reader))) }
        pool = BlockingPool(width: count)
        idle = Mutex(connections)
    }

    /// Reads what is committed, in one snapshot when `body` asks with one statement.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await pool.run { [self] () throws(StoreError) -> Result in
            // As many threads as connections: one is idle, unless the store was closed.
            guard let reader = idle.withLock({ $0.popLast() }) else {
                throw StoreError(.unavailable, "the store is closed")
            }
            defer { idle.withLock { $0.append(reader) } }
            return try body(reader.connection)
        }
    }

    /// Closes the connections that are idle.
    func close() { idle.withLock { $0 = [] } }
}
