public import FoundationEssentials
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

    public func update(_ address: Address, insteadOf old: Address?) async throws(StoreError) -> Bool {
        let (defaults, policy) = try (JSONColumn.encode(address.defaults), JSONColumn.encode(address.policy))
        return try await change { (transaction) throws(StoreError) in
            let connection = transaction.connection
            guard let token = try connection.tokenID(of: address.id, tenant: address.tenant) else {
                throw StoreError(.notFound, "address")
            }
            if let old, try connection.address(where: "addresses.id = ?", old.id) != old { return false }
            if token != address.token.id { try address.token.insert(for: address.tenant, on: connection) }
            try connection.run(
                """
                UPDATE addresses SET token_hash = ?, token_id = ?, former_hash = ?, former_until = ?, defaults = ?,
                    policy = ?, takes_senders = ?, expires_at = ?
                WHERE id = ?
                """,
                address.tokenHash, address.token.id, address.former?.hash, address.former?.livesUntil, defaults, policy,
                address.policy.mode == .sender, address.expiresAt, address.id)
            if token != address.token.id { try SealedSecret.remove(token, of: address.tenant, on: connection) }
            return true
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
            guard let token = try connection.tokenID(of: address, tenant: tenant) else {
                throw StoreError(.notFound, "address")
            }
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
        let (defaults, settings) = (try JSONColumn.encode(hook.defaults), try JSONColumn.encode(hook.settings))
        let limits = try JSONColumn.encode(hook.tokens.map(\.limits))
        try await change { (transaction) throws(StoreError) in
            try hook.insertSecrets(on: transaction.connection)
            try transaction.connection.run(
                """
                INSERT INTO hooks
                    (id, tenant_id, provider, token_hashes, token_limits, defaults, created_at, settings, secret_id,
                    token_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                hook.id, hook.tenant, hook.provider, Array(hook.tokenHashes.joined()), limits, defaults, hook.createdAt,
                settings, hook.secret?.id, hook.token?.id)
        }
    }

    public func update(_ hook: Hook, insteadOf old: Hook?) async throws(StoreError) -> Bool {
        let (defaults, settings) = (try JSONColumn.encode(hook.defaults), try JSONColumn.encode(hook.settings))
        let limits = try JSONColumn.encode(hook.tokens.map(\.limits))
        return try await change { (transaction) throws(StoreError) in
            let connection = transaction.connection
            let secrets = try connection.secrets(of: hook.id, tenant: hook.tenant)
            if let old, try connection.hook(old.id) != old { return false }
            let kept = [hook.secret?.id, hook.token?.id].compactMap(\.self)
            for secret in secrets where !kept.contains(secret) {
                try SealedSecret.remove(secret, of: hook.tenant, on: connection)
            }
            try hook.insertSecrets(except: secrets, on: connection)
            try connection.run(
                """
                UPDATE hooks SET token_hashes = ?, token_limits = ?, defaults = ?, settings = ?, secret_id = ?, token_id = ?
                WHERE id = ?
                """, Array(hook.tokenHashes.joined()), limits, defaults, settings, hook.secret?.id, hook.token?.id,
                hook.id)
            return true
        }
    }

    public func hooks(of tenant: Tenant.ID) async throws(StoreError) -> [Hook] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows(
                """
                SELECT \(Hook.columns) FROM \(Hook.tables) WHERE hooks.tenant_id = ? AND is_removed = 0
                ORDER BY created_at, hooks.id
                """, tenant
            ) { (row: inout Row) throws(StoreError) in try Hook(&row) }
        }
    }

    public func noteUse(of hook: Hook.ID, at now: Date) async throws(StoreError) {
        _ = try await writer.write { (transaction) throws(StoreError) in
            try transaction.connection.run(
                "UPDATE hooks SET last_used_at = ? WHERE id = ? AND is_removed = 0", now, hook)
        }
    }

    public func lastUses(ofHooksOf tenant: Tenant.ID) async throws(StoreError) -> [Hook.ID: Date] {
        let rows = try await readers.read { (connection) throws(StoreError) in
            try connection.rows(
                "SELECT id, last_used_at FROM hooks WHERE tenant_id = ? AND last_used_at IS NOT NULL", tenant
            ) { (row: inout Row) throws(StoreError) in (Hook.ID(row.text()), row.date()) }
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    public func remove(_ hook: Hook.ID, of tenant: Tenant.ID) async throws(StoreError) {
        try await change { (transaction) throws(StoreError) in
            let connection = transaction.connection
            let secrets = try connection.secrets(of: hook, tenant: tenant)
            try connection.run(
                "UPDATE hooks SET is_removed = 1, token_hashes = ?, secret_id = NULL, token_id = NULL WHERE id = ?",
                [UInt8](), hook)
            for secret in secrets { try SealedSecret.remove(secret, of: tenant, on: connection) }
        }
    }
}

extension Connection {
    /// The names of a hook's sealed secrets; throws where there is no such hook.
    fileprivate func secrets(of hook: Hook.ID, tenant: Tenant.ID) throws(StoreError) -> [Identifier<SealedSecret>] {
        let secrets = try first(
            "SELECT secret_id, token_id FROM hooks WHERE id = ? AND tenant_id = ? AND is_removed = 0", hook, tenant
        ) { (row: inout Row) throws(StoreError) -> [Identifier<SealedSecret>?] in
            [row.optional { $0.id() }, row.optional { $0.id() }]
        }
        guard let secrets else { throw StoreError(.notFound, "hook") }
        return secrets.compactMap(\.self)
    }
}

extension Hook {
    fileprivate func insertSecrets(
        except known: [Identifier<SealedSecret>] = [], on connection: Connection
    ) throws(StoreError) {
        for secret in [secret, token].compactMap(\.self) where !known.contains(secret.id) {
            try secret.insert(for: tenant, on: connection)
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
