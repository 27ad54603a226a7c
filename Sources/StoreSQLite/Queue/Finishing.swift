internal import FoundationEssentials
internal import PinpostCore

/// What happens when items and messages become final: their bytes go, and those who wait are told.
extension Transaction {
    /// Ends an item; parked items keep their bytes.
    mutating func finish(
        _ item: Item.ID, of message: Message.ID, as state: Item.State, reason: String?, now: Date
    ) throws(StoreError) {
        let step: SQLValue = state == .done ? .text(Item.Step.done.rawValue) : .null
        try connection.run(
            """
            UPDATE items SET state = ?1, step = coalesce(?2, step),
                reason = coalesce(?3, CASE WHEN ?1 = 'done' THEN note END), finished_at = ?4, crashes = 0
            WHERE id = ?5
            """, state.rawValue, step, reason, now, item)
        if state != .parked { try dropPictures(of: item) }
        try finishIfComplete(message, now: now)
    }

    mutating func dropPictures(of item: Item.ID) throws(StoreError) {
        let blobs = try connection.first("SELECT original_blob, prepared_blob FROM items WHERE id = ?", item) {
            (row: inout Row) throws(StoreError) -> [Blob.ID?] in [row.optional { $0.id() }, row.optional { $0.id() }]
        }
        effects.orphanedBlobs += (blobs ?? []).compactMap(\.self)
        try connection.run(
            """
            UPDATE items SET original = NULL, original_blob = NULL, prepared = NULL, prepared_blob = NULL WHERE id = ?
            """, item)
    }

    /// What was prepared has not served; what came in stays.
    mutating func dropPrepared(of item: Item.ID) throws(StoreError) {
        let blob = try connection.first(
            "SELECT prepared_blob FROM items WHERE id = ? AND prepared_blob IS NOT original_blob", item
        ) { (row: inout Row) throws(StoreError) -> Blob.ID? in row.optional { $0.id() } }
        if let blob = blob ?? nil { effects.orphanedBlobs.append(blob) }
        try connection.run("UPDATE items SET prepared = NULL, prepared_blob = NULL WHERE id = ?", item)
    }

    private mutating func finishIfComplete(_ message: Message.ID, now: Date) throws(StoreError) {
        let isOpen = try connection.exists(
            "SELECT 1 FROM items WHERE message_id = ? AND state IN ('ready', 'running')", message)
        if !isOpen { try finish(message, now: now) }
    }

    /// Every item is final: an answer that is owed is due, else the body has served.
    mutating func finish(_ message: Message.ID, now: Date) throws(StoreError) {
        try connection.run(
            "UPDATE messages SET state = 'done', finished_at = ? WHERE id = ?", now, message)
        if try !connection.bringForward(replyTo: message, now: now) { try dropBody(of: message) }
        effects.finishedMessages.append(message)
    }

    mutating func dropBody(of message: Message.ID) throws(StoreError) {
        let blob = try connection.first("SELECT body_blob FROM messages WHERE id = ?", message) {
            (row: inout Row) throws(StoreError) -> Blob.ID? in row.optional { $0.id() }
        }
        if let blob = blob ?? nil { effects.orphanedBlobs.append(blob) }
        try connection.run("UPDATE messages SET body = NULL, body_blob = NULL WHERE id = ?", message)
        try connection.run("DELETE FROM album_parts WHERE message_id = ?", message)
    }
}
