public import PinpostCore

extension SQLiteStore {
    /// Counts what waits, from partial indexes that hold little else.
    public func figures() async throws(StoreError) -> StoreFigures {
        let free = await files.run { [spool] in spool.disk.space()?.free ?? 0 }
        return try await readers.read { (connection) throws(StoreError) in
            var figures = StoreFigures()
            figures.freeBytes = free
            func count(_ rows: String) throws(StoreError) -> Int {
                try connection.first("SELECT count(*) FROM \(rows)") { (row: inout Row) throws(StoreError) in row.int()
                }
                    ?? 0
            }
            figures.unreadMessages = try count("messages WHERE state = 'accepted'")
            figures.itemsToPrepare = try count("items WHERE state = 'ready' AND lane = 0")
            figures.itemsToDeliver = try count("items WHERE state = 'ready' AND lane = 1")
            figures.runningItems = try count("items WHERE state = 'running'")
            figures.parkedItems = try count("items WHERE state = 'parked'")
            figures.owedReplies = try count("replies WHERE settled_at IS NULL")
            figures.heldMails = try count("quarantine")
            return figures
        }
    }
}
