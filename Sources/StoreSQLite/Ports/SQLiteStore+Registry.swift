public import PinpostCore

extension SQLiteStore: Registry {
    public func tenants() async throws(StoreError) -> [Tenant] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows("SELECT \(Tenant.columns) FROM \(Tenant.tables) ORDER BY slug") {
                (row: inout Row) throws(StoreError) in try Tenant(&row)
            }
        }
    }

    public func tenant(slug: String) async throws(StoreError) -> Tenant? {
        try await readers.read { (connection) throws(StoreError) in
            try connection.first("SELECT \(Tenant.columns) FROM \(Tenant.tables) WHERE slug = ?", slug) {
                (row: inout Row) throws(StoreError) in try Tenant(&row)
            }
        }
    }

    public func server(baseURL: String, dialect: Server.Dialect) async throws(StoreError) -> Server? {
        try await readers.read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT \(Server.columns) FROM servers WHERE base_url = ? AND dialect = ?", baseURL, dialect.rawValue
            ) { (row: inout Row) throws(StoreError) in try Server(&row) }
        }
    }

    public func add(_ tenant: Tenant, on server: Server, changedFrom known: Server?) async throws(StoreError) {
        try await change { (transaction) throws(StoreError) in
            try transaction.connection.put(server, changedFrom: known)
            try transaction.connection.insert(tenant)
        }
    }

    public func update(
        _ tenant: Tenant, insteadOf old: Tenant?, on server: Server, changedFrom known: Server?
    ) async throws(StoreError) -> Bool {
        try await change { (transaction) throws(StoreError) in
            guard let stored = try transaction.connection.tenant(tenant.id) else {
                throw StoreError(.notFound, "tenant")
            }
            if let old, stored != old { return false }
            try transaction.connection.put(server, changedFrom: known)
            try transaction.replace(stored, with: tenant)
            transaction.effects.itemsArrived = true
            return true
        }
    }

    public func remove(_ tenant: Tenant.ID) async throws(StoreError) {
        try await change { (transaction) throws(StoreError) in
            guard let old = try transaction.connection.tenant(tenant) else { throw StoreError(.notFound, "tenant") }
            try transaction.removeEverything(of: tenant)
            try transaction.connection.removeUnusedServer(old.server)
        }
    }

    public func recordsPerKey() async throws(StoreError) -> [String: Int] {
        let counts = try await readers.read { (connection) throws(StoreError) in
            try connection.rows(
                """
                SELECT key_id, count(*) FROM
                    (SELECT key_id FROM credentials UNION ALL SELECT key_id FROM mailbox_credentials)
                GROUP BY key_id
                """
            ) {
                (row: inout Row) throws(StoreError) in (key: row.text(), count: row.int())
            }
        }
        return Dictionary(uniqueKeysWithValues: counts.map { ($0.key, $0.count) })
    }

    public func keyCheckValues() async throws(StoreError) -> [String: [UInt8]] {
        let values = try await readers.read { (connection) throws(StoreError) in
            try connection.rows("SELECT key, value FROM meta WHERE key LIKE 'kcv:%'") {
                (row: inout Row) throws(StoreError) in (key: String(row.text().dropFirst(4)), value: row.blob())
            }
        }
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) })
    }

    public func addKeyCheckValue(_ value: [UInt8], for keyID: String) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) -> Void in
            try transaction.connection.run("INSERT INTO meta (key, value) VALUES (?, ?)", "kcv:\(keyID)", value)
        }
    }

    public func instanceID() async throws(StoreError) -> [UInt8] {
        let id = try await readers.read { (connection) throws(StoreError) in
            try connection.first("SELECT value FROM meta WHERE key = 'instance_id'") {
                (row: inout Row) throws(StoreError) in row.blob()
            }
        }
        guard let id, id.count == 16 else { throw StoreError(.corrupt, "no instance id") }
        return id
    }

    /// A write after which the directory is looked up anew.
    func change<Result: Sendable>(
        _ body: @escaping @Sendable (inout Transaction) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await writer.write { (transaction) throws(StoreError) in
            transaction.effects.directoryChanged = true
            return try body(&transaction)
        }
    }
}
