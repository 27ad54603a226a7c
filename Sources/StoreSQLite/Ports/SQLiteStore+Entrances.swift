public import PinpostCore

/// The part of `Registry` that is about addresses and hooks.
///
/// A removed entrance keeps its row, because messages name it; its hashes and its sealed token go.
extension SQLiteStore {
    public func add(_ address: Address) async throws(StoreError) {
        let (defaults, policy) = try (JSONColumn.encode(address.defaults), JSONColumn.encode(address.policy))
        try await change { (transaction) throws(StoreError) in
            try address.token.insert(for: address.tenant, on: transaction.connection)
            try transaction.connection.run(
                """
                INSERT INTO addresses (
                    id, tenant_id, token_hash, token_id, defaults, policy, takes_senders, expires_at, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                address.id, address.tenant, address.tokenHash, address.token.id, defaults, policy,
                address.policy.mode == .sender, address.expiresAt, address.createdAt)
        }
    }

    public func update(_ address: Address) async throws(StoreError) {
        let (defaults, policy) = try (JSONColumn.encode(address.defaults), JSONColumn.encode(address.policy))
        try await change { (transaction) throws(StoreError) in
            let connection = transaction.connection
            guard let old = try connection.tokenID(of: address.id, tenant: address.tenant) else {
                throw StoreError(.notFound, "address")
            }
            if old != address.token.id { try address.token.insert(for: address.tenant, on: connection) }
            try connection.run(
                """
                UPDATE addresses SET token_hash = ?, token_id = ?, former_hash = ?, former_until = ?, defaults = ?,
                    policy = ?, takes_senders = ?, expires_at = ?
                WHERE id = ?
                """,
                address.tokenHash, address.token.id, address.former?.hash, address.former?.livesUntil, defaults, policy,
                address.policy.mode == .sender, address.expiresAt, address.id)
            if old != address.token.id { try SealedSecret.remove(old, of: address.tenant, on: connection) }
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
            guard let token = try connection.tokenID(of: address, tenant: tenant) else { throw StoreError(.notFound, "address") }
            try connection.run(
                """
                UPDATE addresses SET is_removed = 1, token_hash = NULL, token_id = NULL, former_hash = NULL,
                    takes_senders = 0
                WHERE id = ?
                """, address)
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

extension Connection {
    /// The sealed token of an address that is not removed.
    fileprivate func tokenID(
        of address: Address.ID, tenant: Tenant.ID
    ) throws(StoreError) -> Identifier<SealedSecret>? {
        try first(
            "SELECT token_id FROM addresses WHERE id = ? AND tenant_id = ? AND is_removed = 0", address, tenant
        ) { (row: inout Row) throws(StoreError) -> Identifier<SealedSecret> in row.id() }
    }
}
