internal import FoundationEssentials
public import PinpostCore

/// Which pages a tenant has pinned before.
extension SQLiteStore: PinMemory {
    public func earlierPin(ofPageIn item: Item) async throws(StoreError) -> EarlierPin? {
        guard case .link(let link) = item.kind, !link.isImage else { return nil }
        return try await readers.read { (connection) throws(StoreError) in
            try connection.earlierPin(of: link.url, in: item)
        }
    }

    public func forget(_ pin: PinID, ofPageIn item: Item) async throws(StoreError) {
        guard case .link(let link) = item.kind else { return }
        _ = try await writer.write { (transaction) throws(StoreError) in
            try transaction.connection.run(
                """
                UPDATE items SET pin_id = nullif(pin_id, ?1), replaced_pin = nullif(replaced_pin, ?1)
                WHERE tenant_id = ?2 AND link = ?3 AND link IS NOT NULL AND (pin_id = ?1 OR replaced_pin = ?1)
                """, pin, item.tenant, link.url)
        }
    }
}

extension Connection {
    /// A replacement that is under way goes first, because it takes the pin from before with it.
    ///
    /// Then a pin that is there goes before one that is under way, and an item's own pin before one that it only named.
    /// A pin counts whatever became of its item after it was made: its board, or another picture, may have failed.
    fileprivate func earlierPin(of url: String, in item: Item) throws(StoreError) -> EarlierPin? {
        try first(
            """
            SELECT CASE WHEN pin_id IS NULL AND state IN ('ready', 'running') THEN NULL
                ELSE coalesce(pin_id, replaced_pin) END AS pin
            FROM items
            WHERE tenant_id = ?1 AND link = ?2 AND link IS NOT NULL AND link_is_image = 0 AND id <> ?3
                AND (pin_id IS NOT NULL OR replaced_pin IS NOT NULL OR state IN ('ready', 'running')
                    AND (arrival, sequence) < (SELECT arrival, sequence FROM items WHERE id = ?3))
            ORDER BY pin IS NULL AND replaced_pin IS NOT NULL DESC, pin IS NOT NULL DESC,
                image_id IS NOT NULL OR replaced_pin IS NOT NULL DESC, arrival DESC, sequence DESC
            LIMIT 1
            """, item.tenant, url, item.id
        ) { (row: inout Row) throws(StoreError) -> EarlierPin in
            row.optional { .pinned(PinID($0.integer())) } ?? .underway
        }
    }

    /// Writes what will be uploaded.
    func keep(_ picture: PreparedPicture, of item: Item.ID) throws(StoreError) {
        let columns = StoredBytesColumns(picture.bytes)
        try run(
            """
            UPDATE items SET prepared = ?, prepared_blob = ?, prepared_count = ?, prepared_sha256 = ?, prepared_type = ?
            WHERE id = ?
            """, columns.inline, columns.blob, columns.count, columns.sha256, picture.type.rawValue, item)
    }

    /// Writes what the page behind a link had to say.
    func keep(_ notes: PageNotes, of item: Item.ID) throws(StoreError) {
        try run(
            "UPDATE items SET draft = ?, candidates = ?, note = ? WHERE id = ?", try JSONColumn.encode(notes.draft),
            notes.candidates.isEmpty ? nil : try JSONColumn.encode(notes.candidates), notes.note, item)
    }
}
