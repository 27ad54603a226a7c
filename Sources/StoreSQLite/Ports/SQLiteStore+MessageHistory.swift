public import FoundationEssentials
public import PinpostCore

extension SQLiteStore: MessageHistory {
    public func message(_ id: Message.ID) async throws(StoreError) -> Message? {
        try await readers.read { (connection) throws(StoreError) in try connection.message(id) }
    }

    public func messages(of tenant: Tenant.ID, newest limit: Int) async throws(StoreError) -> [Message] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows(
                "SELECT \(Message.columns) FROM messages WHERE tenant_id = ? ORDER BY arrival DESC LIMIT ?", tenant,
                limit
            ) { (row: inout Row) throws(StoreError) in try Message(&row) }
        }
    }

    public func items(of message: Message.ID) async throws(StoreError) -> [Item] {
        try await readers.read { (connection) throws(StoreError) in try connection.items(ofMessage: message) }
    }

    public func item(_ id: Item.ID) async throws(StoreError) -> Item? {
        try await readers.read { (connection) throws(StoreError) in try connection.items([id]).first }
    }

    public func queuedItems(of tenant: Tenant.ID, upTo limit: Int) async throws(StoreError) -> Int {
        try await readers.read { (connection) throws(StoreError) in
            let count = try connection.first(
                """
                SELECT count(*) FROM (SELECT 1 FROM items WHERE tenant_id = ? AND state = 'ready' LIMIT ?)
                """, tenant, limit
            ) { (row: inout Row) throws(StoreError) in row.int() }
            return count ?? 0
        }
    }

    public func retry(_ item: Item.ID, now: Date) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            guard let item = try transaction.connection.items([item]).first else { throw StoreError(.notFound, "item") }
            guard item.state == .parked else { throw StoreError(.refused, "only a parked item can be retried") }
            try transaction.restart(item, in: item.step.lane, now: now)
        }
    }

    public func pictures(offeredTo item: Item.ID) async throws(StoreError) -> [OfferedPicture] {
        try await readers.read { (connection) throws(StoreError) in
            let found = try connection.first(
                "SELECT candidates FROM items WHERE id = ? AND candidates IS NOT NULL", item
            ) { (row: inout Row) throws(StoreError) -> [OfferedPicture] in try row.json() }
            return found ?? []
        }
    }

    public func replace(_ item: Item.ID, with replacement: Replacement, now: Date) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            guard let item = try transaction.connection.items([item]).first else { throw StoreError(.notFound, "item") }
            guard item.canBeReplaced else { throw StoreError(.refused, "the item is \(item.state.rawValue)") }
            try transaction.dropPictures(of: item.id)
            var draft = item.draft
            draft.replacement = replacement
            try transaction.connection.run(
                """
                UPDATE items SET draft = ?1, step = 'prepare', lane = 0, is_late = 0, image_id = NULL, pin_floor = NULL,
                    pin_id = NULL, replaced_pin = ?3, board_id = NULL, note = NULL
                WHERE id = ?2
                """, try JSONColumn.encode(draft), item.id, replacement.pin.rawValue)
            try transaction.restart(item, in: .prepare, now: now)
        }
    }

    public func cancel(_ item: Item.ID, now: Date) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            guard let item = try transaction.connection.items([item]).first else { throw StoreError(.notFound, "item") }
            guard item.state == .ready || item.state == .parked else {
                throw StoreError(.refused, "the item is \(item.state.rawValue)")
            }
            guard !item.mustConclude else { throw StoreError(.refused, "the item is replacing its pin") }
            let reason = item.facts.pin == nil ? item.reason : "stopped before its board; the pin stays in Pinry"
            try transaction.finish(item.id, of: item.message, as: .cancelled, reason: reason, now: now)
        }
    }

    public func waitUntilFinal(_ id: Message.ID, upTo limit: Duration) async throws(StoreError) -> Message? {
        let signal = finals.join(id)
        defer { finals.leave(id) }
        let deadline = ContinuousClock.now + limit
        while true {
            let generation = signal.generation
            let message = try await message(id)
            let left = ContinuousClock.now.duration(to: deadline)
            guard let message, !message.state.isFinal, left > .zero, !Task.isCancelled else { return message }
            await signal.wait(after: generation, upTo: left)
        }
    }
}

extension Message.State {
    fileprivate var isFinal: Bool { self == .done || self == .parked }
}

extension Transaction {
    /// A final item is due again, and its message with it.
    fileprivate mutating func restart(_ item: Item, in lane: Lane, now: Date) throws(StoreError) {
        try connection.run(
            """
            UPDATE items SET state = 'ready', attempt = 0, crashes = 0, due_at = ?1, queued_at = ?1, reason = NULL,
                finished_at = NULL
            WHERE id = ?2
            """, now, item.id)
        try connection.run("UPDATE messages SET state = 'delivering', finished_at = NULL WHERE id = ?", item.message)
        try Schedule(connection: connection).itemBecameReady(of: item.tenant, in: lane, due: now, now: now)
        effects.itemsArrived = true
    }
}

extension Connection {
    func message(_ id: Message.ID) throws(StoreError) -> Message? {
        try first("SELECT \(Message.columns) FROM messages WHERE id = ?", id) {
            (row: inout Row) throws(StoreError) in try Message(&row)
        }
    }

    func items(ofMessage message: Message.ID) throws(StoreError) -> [Item] {
        try rows("SELECT \(Item.columns) FROM \(Item.tables) WHERE message_id = ? ORDER BY sequence", message) {
            (row: inout Row) throws(StoreError) in try Item(&row)
        }
    }

    func items(_ ids: [Item.ID]) throws(StoreError) -> [Item] {
        var items: [Item] = []
        for id in ids {
            let item = try first("SELECT \(Item.columns) FROM \(Item.tables) WHERE items.id = ?", id) {
                (row: inout Row) throws(StoreError) in try Item(&row)
            }
            if let item { items.append(item) }
        }
        return items
    }
}
