public import FoundationEssentials
public import PinpostCore

extension SQLiteStore: TenantDirectory {
    public func tenant(_ id: Tenant.ID) async throws(StoreError) -> Tenant? {
        try await cache.value(of: id, in: \.tenants) { () throws(StoreError) in
            try await readers.read { (connection) throws(StoreError) in try connection.tenant(id) }
        }
    }

    public func server(_ id: Server.ID) async throws(StoreError) -> Server? {
        try await cache.value(of: id, in: \.servers) { () throws(StoreError) in
            try await readers.read { (connection) throws(StoreError) in try connection.server(id) }
        }
    }

    public func address(tokenHash: [UInt8], now: Date) async throws(StoreError) -> Address? {
        let address = try await cache.value(of: tokenHash, in: \.addressesByHash) { () throws(StoreError) in
            try await readers.read { (connection) throws(StoreError) in
                if let present = try connection.address(where: "token_hash = ?", tokenHash) { return present }
                return try connection.address(where: "former_hash = ?", tokenHash)
            }
        }
        guard let address, address.isLive(through: tokenHash, now: now) else { return nil }
        return address
    }

    public func senderAddresses(now: Date) async throws(StoreError) -> [Address] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows(
                "SELECT \(Address.columns) FROM \(Address.tables) WHERE takes_senders <> 0 ORDER BY addresses.id"
            ) { (row: inout Row) throws(StoreError) in try Address(&row) }
        }
        .filter { $0.isLive(now: now) }
    }

    public func address(_ id: Address.ID, of tenant: Tenant.ID) async throws(StoreError) -> Address? {
        let address = try await cache.value(of: id, in: \.addresses) { () throws(StoreError) in
            try await readers.read { (connection) throws(StoreError) in
                try connection.address(where: "addresses.id = ?", id)
            }
        }
        return address?.tenant == tenant ? address : nil
    }

    public func hook(_ id: Hook.ID) async throws(StoreError) -> Hook? {
        let found = try await cache.value(of: id, in: \.hooks) { () throws(StoreError) -> Hook?? in
            let hook = try await readers.read { (connection) throws(StoreError) in
                try connection.hook(id)
            }
            return .some(hook)
        }
        return found ?? nil
    }

    public func boards(of tenant: Tenant.ID) async throws(StoreError) -> (boards: [Board], readAt: Date)? {
        try await readers.read { (connection) throws(StoreError) in
            try connection.first("SELECT boards, read_at FROM boards WHERE tenant_id = ?", tenant) {
                (row: inout Row) throws(StoreError) in (boards: try row.json(), readAt: row.date())
            }
        }
    }

    public func remember(_ boards: [Board], of tenant: Tenant.ID, readAt: Date) async throws(StoreError) {
        let text = try JSONColumn.encode(boards)
        try await writer.write { (transaction) throws(StoreError) -> Void in
            try transaction.connection.run(
                """
                INSERT INTO boards (tenant_id, boards, read_at) VALUES (?, ?, ?)
                ON CONFLICT (tenant_id) DO UPDATE SET boards = excluded.boards, read_at = excluded.read_at
                """, tenant, text, readAt)
        }
    }
}

extension Connection {
    func tenant(_ id: Tenant.ID) throws(StoreError) -> Tenant? {
        try first("SELECT \(Tenant.columns) FROM \(Tenant.tables) WHERE tenants.id = ?", id) {
            (row: inout Row) throws(StoreError) in try Tenant(&row)
        }
    }

    func address(where condition: String, _ value: any SQLConvertible) throws(StoreError) -> Address? {
        try first("SELECT \(Address.columns) FROM \(Address.tables) WHERE \(condition)", value) {
            (row: inout Row) throws(StoreError) in try Address(&row)
        }
    }
}

extension Connection {
    /// nil for one that was removed.
    func hook(_ id: Hook.ID) throws(StoreError) -> Hook? {
        try first("SELECT \(Hook.columns) FROM \(Hook.tables) WHERE hooks.id = ? AND is_removed = 0", id) {
            (row: inout Row) throws(StoreError) in try Hook(&row)
        }
    }
}
