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

    public func takenBack(
        of message: Message.ID, since: Date
    ) async throws(StoreError) -> (pins: Int, others: Int) {
        try await readers.read { (connection) throws(StoreError) in
            let counts = try connection.first(
                """
                SELECT coalesce(sum(step IN ('board', 'done')), 0), coalesce(sum(step NOT IN ('board', 'done')), 0)
                FROM items WHERE message_id = ? AND state = 'cancelled' AND pin_id IS NULL AND finished_at >= ?
                """, message, since
            ) { (row: inout Row) throws(StoreError) in (pins: row.int(), others: row.int()) }
            return counts ?? (0, 0)
        }
    }
}

extension Connection {
    /// Settles which message an order means: in the transaction that accepts it, so that two orders mean two messages.
    func target(of order: ReceivedMessage) throws(StoreError) -> Message.ID? {
        switch order.undo {
        case nil: nil
        case .message(let message): message
        case .delivery(let key, let author):
            // A picture of an album is not the whole of it.
            try message(named: key, of: order).flatMap { (id) throws(StoreError) in
                try isMessage(id, by: author, isAlbumAllowed: false) ? id : nil
            }
        case .newest(let author, let thread, let answered):
            if let id = try answered.flatMap({ (key) throws(StoreError) in try message(named: key, of: order) }) {
                try isMessage(id, by: author, isAlbumAllowed: true) ? id : nil
            } else {
                try newestMessage(by: author, in: thread, of: order)
            }
        }
    }

    private func isMessage(
        _ id: Message.ID, by author: [UInt8], isAlbumAllowed: Bool
    ) throws(StoreError) -> Bool {
        try exists(
            "SELECT 1 FROM messages WHERE id = ? AND author = ? AND (? OR album_key IS NULL)", id, author,
            isAlbumAllowed)
    }

    /// Of which something is left: a pin of its own, or what may become one.
    ///
    /// An order that waits, or is under way, has its message for itself; one that has failed leaves it to the next. What
    /// an order left, because another pin shows the same picture, every other would leave too.
    private func newestMessage(
        by author: [UInt8], in thread: [UInt8]?, of order: ReceivedMessage
    ) throws(StoreError) -> Message.ID? {
        try first(
            """
            SELECT id FROM messages
            WHERE tenant_id = ?1 AND route = ?2 AND author = ?3 AND author IS NOT NULL AND received_at >= ?4
                AND (?5 IS NULL OR thread = ?5)
                AND (state IN ('accepted', 'reading') OR EXISTS (
                    SELECT 1 FROM items WHERE items.message_id = messages.id
                        AND (items.state IN ('ready', 'running', 'parked')
                            OR items.state IN ('done', 'cancelled') AND items.image_id IS NOT NULL
                                AND items.pin_id IS NOT NULL)))
                AND NOT EXISTS (
                    SELECT 1 FROM messages AS orders WHERE orders.undoes = messages.id
                        AND (orders.state IN ('accepted', 'reading')
                            OR json_extract(orders.envelope, '$.undo.outcome.isDone') = 1 OR EXISTS (
                            SELECT 1 FROM replies
                            WHERE replies.message_id = orders.id AND replies.settled_at IS NULL)))
            ORDER BY arrival DESC LIMIT 1
            """, order.tenant, order.route.key, author, order.receivedAt - PinUndo.limit, thread
        ) { (row: inout Row) throws(StoreError) -> Message.ID in row.id() }
    }
}
