internal import PinpostCore

/// Parts of an album that come when it has been read.
extension Connection {
    /// What the messages of the same album before this one came to; nil where there is none.
    func elder(of id: Message.ID) throws(StoreError) -> ElderAlbum? {
        let elders = try rows(
            """
            SELECT elder.id, elder.state
            FROM messages AS late JOIN messages AS elder ON elder.tenant_id = late.tenant_id
                AND elder.route = late.route AND elder.album_key = late.album_key AND elder.arrival < late.arrival
            WHERE late.id = ? AND late.album_key IS NOT NULL AND elder.album_key IS NOT NULL
            ORDER BY elder.arrival LIMIT 10
            """, id
        ) { (row: inout Row) throws(StoreError) -> (Message.ID, Bool) in
            (row.id(), ["accepted", "reading"].contains(row.text()))
        }
        for (elder, isUnread) in elders {
            if isUnread { return .unread }
            guard let item = try items(ofMessage: elder).first else { continue }
            let isDescribed =
                item.draft.isDescribedByPage != true && item.draft.description != item.kind.defaultDescription
            return .read(item.draft, isDescribed: isDescribed)
        }
        return nil
    }
}
