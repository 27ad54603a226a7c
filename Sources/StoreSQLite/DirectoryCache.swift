internal import FoundationEssentials
internal import PinpostCore
internal import Synchronization

/// Answers of the directory that are asked for with every message, until the registry changes.
final class DirectoryCache: Sendable {
    /// More records than this are not kept, of each kind.
    private static let limit = 20_000

    struct Records {
        var tenants: [Tenant.ID: Tenant] = [:]
        var servers: [Server.ID: Server] = [:]
        /// nil: there is no such hook, which must not take longer to say than that a secret is wrong.
        var hooks: [Hook.ID: Hook?] = [:]
        var addresses: [Address.ID: Address] = [:]
        var addressesByHash: [[UInt8]: Address] = [:]
        fileprivate var generation = 0
    }

    private let records = Mutex(Records())

    /// What is kept under `key`, else what `load` finds; an answer that a change overtook is not kept.
    func value<Key: Hashable & Sendable, Value: Sendable>(
        of key: Key, in table: any WritableKeyPath<Records, [Key: Value]> & Sendable,
        else load: () async throws(StoreError) -> Value?
    ) async throws(StoreError) -> Value? {
        let (known, generation) = records.withLock { ($0[keyPath: table][key], $0.generation) }
        if let known { return known }
        guard let value = try await load() else { return nil }
        records.withLock { records in
            guard records.generation == generation else { return }
            if records[keyPath: table].count >= Self.limit { records[keyPath: table] = [:] }
            records[keyPath: table][key] = value
        }
        return value
    }

    func forget(_ server: Server.ID) {
        records.withLock { records in
            records.generation += 1
            records.servers[server] = nil
        }
    }

    func clear() {
        records.withLock { records in
            let generation = records.generation + 1
            records = Records()
            records.generation = generation
        }
    }
}
