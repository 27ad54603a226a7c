public import PinpostCore

/// Lists for people: of one tenant, or of all, and never with the bytes.
extension SQLiteStore {
    public func overview(of tenant: Tenant.ID?, newest limit: Int) async throws(StoreError) -> [MessageOverview] {
        try await readers.read { (connection) throws(StoreError) in
            let columns = "id, tenant_id, source, state, reason, received_at"
            func read(_ row: inout Row) throws(StoreError) -> MessageOverview { try MessageOverview(&row, connection) }
            guard let tenant else {
                return try connection.rows(
                    "SELECT \(columns) FROM messages ORDER BY arrival DESC LIMIT ?", limit, read: read)
            }
            return try connection.rows(
                "SELECT \(columns) FROM messages WHERE tenant_id = ? ORDER BY arrival DESC LIMIT ?", tenant, limit,
                read: read)
        }
    }

    public func items(
        of tenant: Tenant.ID?, in states: Set<Item.State>, newest limit: Int
    ) async throws(StoreError) -> [Item] {
        guard !states.isEmpty else { return [] }
        return try await readers.read { (connection) throws(StoreError) in
            if let tenant { return try connection.items(of: tenant, states, limit) }
            guard states.isSubset(of: Item.State.indexed.keys) else { return try connection.items(states, limit) }
            // Few are open: their own indexes hold them together.
            var found: [(arrival: Int64, item: Item)] = []
            for state in states { found += try connection.openItems(state, limit) }
            found.sort { ($0.arrival, $0.item.sequence) > ($1.arrival, $1.item.sequence) }
            return found.prefix(limit).map(\.item)
        }
    }
}

extension MessageOverview {
    fileprivate init(_ row: inout Row, _ connection: Connection) throws(StoreError) {
        let (id, tenant): (Message.ID, Tenant.ID) = (row.id(), row.id())
        let source: Source = try row.choice()
        let state = try Message.state(row.text())
        let states = try connection.rows("SELECT state FROM items WHERE message_id = ?", id) {
            (row: inout Row) throws(StoreError) -> Item.State in try row.choice()
        }
        self.init(
            id: id, tenant: tenant, source: source, state: state, reason: row.optional { $0.text() },
            receivedAt: row.date(), items: Dictionary(states.map { ($0, 1) }, uniquingKeysWith: +))
    }
}

extension Item.State {
    /// States with an index of their own.
    fileprivate static let indexed: [Item.State: String] = [
        .ready: "items_due", .running: "items_running", .parked: "items_parked",
    ]
}

extension Connection {
    /// The words come from a closed set; written out they let the database use the index of that state.
    private func condition(_ states: Set<Item.State>) -> String {
        let words = states.map { "'\($0.rawValue)'" }.sorted()
        return words.count == 1 ? "items.state = \(words[0])" : "items.state IN (\(words.joined(separator: ", ")))"
    }

    fileprivate func items(
        of tenant: Tenant.ID, _ states: Set<Item.State>, _ limit: Int
    ) throws(StoreError) -> [Item] {
        try rows(
            """
            SELECT \(Item.columnsWithoutBytes) FROM \(Item.tables) WHERE items.tenant_id = ? AND \(condition(states))
            ORDER BY arrival DESC, sequence DESC LIMIT ?
            """, tenant, limit
        ) { (row: inout Row) throws(StoreError) in try Item(&row) }
    }

    /// In the order of the messages, which is found without sorting.
    fileprivate func items(_ states: Set<Item.State>, _ limit: Int) throws(StoreError) -> [Item] {
        try rows(
            """
            SELECT \(Item.columnsWithoutBytes)
            FROM messages CROSS JOIN items ON items.message_id = messages.id
                JOIN tenants ON tenants.id = items.tenant_id
            WHERE \(condition(states)) ORDER BY messages.arrival DESC, sequence DESC LIMIT ?
            """, limit
        ) { (row: inout Row) throws(StoreError) in try Item(&row) }
    }

    fileprivate func openItems(
        _ state: Item.State, _ limit: Int
    ) throws(StoreError) -> [(arrival: Int64, item: Item)] {
        guard let index = Item.State.indexed[state] else { return [] }
        return try rows(
            """
            SELECT items.arrival, \(Item.columnsWithoutBytes)
            FROM items INDEXED BY \(index) JOIN tenants ON tenants.id = items.tenant_id
            WHERE \(condition([state])) ORDER BY items.arrival DESC, sequence DESC LIMIT ?
            """, limit
        ) { (row: inout Row) throws(StoreError) in (arrival: row.integer(), item: try Item(&row)) }
    }
}
