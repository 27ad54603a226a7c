public import FoundationEssentials
public import PinpostCore

/// Which pictures come with every mail of a sender.
extension SQLiteStore: PictureHabits {
    /// So many earlier messages make a habit.
    private static let habit = 3
    /// Nobody needs to know of more messages with one picture.
    private static let mostMessages = 6
    /// Rows of one tenant; the oldest give way.
    private static let mostRows = 1_000

    public func usualPictures(
        of tenant: Tenant.ID, besides message: Message.ID
    ) async throws(StoreError) -> Set<[UInt8]> {
        try await readers.read { (connection) throws(StoreError) in
            let pictures = try connection.rows(
                """
                SELECT picture FROM layout_pictures WHERE tenant_id = ? AND message_id <> ?
                GROUP BY picture HAVING count(*) >= ?
                """, tenant, message, Self.habit
            ) { (row: inout Row) throws(StoreError) -> [UInt8] in row.blob() }
            return Set(pictures)
        }
    }

    public func note(
        _ pictures: [[UInt8]], of message: Message.ID, from tenant: Tenant.ID, now: Date
    ) async throws(StoreError) {
        _ = try await writer.write { (transaction) throws(StoreError) in
            let connection = transaction.connection
            for picture in pictures {
                // A habit that goes on stays young.
                try connection.run(
                    "UPDATE layout_pictures SET seen_at = ? WHERE tenant_id = ? AND picture = ?", now, tenant, picture)
                try connection.run(
                    """
                    INSERT OR IGNORE INTO layout_pictures (tenant_id, picture, message_id, seen_at)
                    SELECT ?1, ?2, ?3, ?4 WHERE (
                        SELECT count(*) FROM layout_pictures WHERE tenant_id = ?1 AND picture = ?2) < ?5
                    """, tenant, picture, message, now, Self.mostMessages)
            }
            try connection.run(
                """
                DELETE FROM layout_pictures WHERE tenant_id = ?1 AND (picture, message_id) IN (
                    SELECT picture, message_id FROM layout_pictures WHERE tenant_id = ?1
                    ORDER BY seen_at DESC LIMIT -1 OFFSET ?2)
                """, tenant, Self.mostRows)
        }
    }
}
