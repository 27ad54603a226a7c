public import PinpostCore

/// The part of `Registry` that is about addresses and hooks.
///
/// A removed entrance keeps its row, because messages name it; its hashes and its sealed token go.
extension SQLiteStore {
    public func add(_ address: Address) async throws(StoreError) {
        let defaults = try JSONColumn.encode(address.defaults)
        try await change { (transaction) throws(StoreError) in
            try address.token.insert(for: address.tenant, on: transaction.connection)
            try transaction.connection.run(
                """
                INSERT INTO addresses (id, tenant_id, token_hash, token_id, defaults, expires_at, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                address.id, address.tenant, address.tokenHash, address.token.id, defaults, address.expiresAt,
                address.createdAt)
        }
    }

    public func addresses(of tenant: Tenant.ID) async throws(StoreError) -> [Address] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows(
                """
                SELECT \(Address.columns) FROM \(Address.tables) WHERE addresses.tenant_id = ?
                ORDER BY created_at, addresses.id
                """, tenant
            ) { (row: inout Row) throws(StoreError) in try Address(&row) }
        }
    }

    public func remove(_ address: Address.ID, of tenant: Tenant.ID) async throws(StoreError) {
        try await change { (transaction) throws(StoreError) in
            let connection = transaction.connection
            let token = try connection.first(
                "SELECT token_id FROM addresses WHERE id = ? AND tenant_id = ? AND is_removed = 0", address, tenant
            ) { (row: inout Row) throws(StoreError) -> Identifier<SealedSecret> in row.id() }
            guard let token else { throw StoreError(.notFound, "address") }
            try connection.run(
                "UPDATE addresses SET is_removed = 1, token_hash = NULL, token_id = NULL WHERE id = ?", address)
            try SealedSecret.remove(token, of: tenant, on: connection)
        }
    }

    public func add(_ hook: Hook) async throws(StoreError) {
        let defaults = try JSONColumn.encode(hook.defaults)
        try await change { (transaction) throws(StoreError) in
            try transaction.connection.run(
                """
                INSERT INTO hooks (id, tenant_id, provider, token_hashes, defaults, created_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                hook.id, hook.tenant, hook.provider, Array(hook.tokenHashes.joined()), defaults, hook.createdAt)
        }
    }

    public func hooks(of tenant: Tenant.ID) async throws(StoreError) -> [Hook] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows(
                """
                SELECT \(Hook.columns) FROM hooks WHERE tenant_id = ? AND is_removed = 0 ORDER BY created_at, id
                """, tenant
            ) { (row: inout Row) throws(StoreError) in try Hook(&row) }
        }
    }

    public func remove(_ hook: Hook.ID, of tenant: Tenant.ID) async throws(StoreError) {
        try await change { (transaction) throws(StoreError) in
            let changed = try transaction.connection.run(
                "UPDATE hooks SET is_removed = 1, token_hashes = ? WHERE id = ? AND tenant_id = ? AND is_removed = 0",
                [UInt8](), hook, tenant)
            guard changed > 0 else { throw StoreError(.notFound, "hook") }
        }
    }
}
