public import FoundationEssentials
public import PinpostCore

extension SQLiteStore: UndoRecord {
    public func stopItems(of message: Message.ID, now: Date) async throws(StoreError) -> [Item] {
        try await writer.write { (transaction) throws(StoreError) in
            for item in try transaction.connection.items(ofMessage: message) where item.canBeStopped {
                try transaction.finish(item.id, of: message, as: .cancelled, reason: "taken back", now: now)
            }
            return try transaction.connection.items(ofMessage: message)
        }
    }

    public func noteUndone(_ item: Item.ID, now: Date) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            guard let item = try transaction.connection.items([item]).first else { throw StoreError(.notFound, "item") }
            guard item.state.isFinal else { throw StoreError(.refused, "the item is \(item.state.rawValue)") }
            try transaction.connection.run(
                "UPDATE items SET pin_id = NULL, replaced_pin = NULL WHERE id = ?", item.id)
            try transaction.finish(item.id, of: item.message, as: .cancelled, reason: "taken back", now: now)
        }
    }

    public func newestMessage(
        by author: [UInt8], through hook: Hook.ID, of tenant: Tenant.ID, since: Date
    ) async throws(StoreError) -> Message.ID? {
        try await readers.read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT id FROM messages
                WHERE tenant_id = ? AND route = ? AND author = ? AND author IS NOT NULL AND received_at >= ?
                    AND (state = 'accepted' OR state = 'reading' OR EXISTS (
                        SELECT 1 FROM items WHERE items.message_id = messages.id
                            AND (items.state IN ('ready', 'running', 'parked')
                                OR items.state = 'done' AND items.image_id IS NOT NULL AND items.pin_id IS NOT NULL)))
                ORDER BY arrival DESC LIMIT 1
                """, tenant, hook.rawValue, author, since
            ) { (row: inout Row) throws(StoreError) -> Message.ID in row.id() }
        }
    }
}
