internal import FoundationEssentials
internal import PinpostCore

/// Deliveries that belong together: they become one message while the first of them waits.
extension Transaction {
    /// The message that has this delivery already, or takes it as a part of its album; nil for one that stands alone.
    mutating func joinOrRecognise(_ message: ReceivedMessage) throws(StoreError) -> Acceptance? {
        guard !message.isPlain else { return nil }
        for key in [message.deliveryKey] + message.otherKeys {
            if let known = try connection.message(named: key, of: message) {
                return Acceptance(message: known, isRepeat: true)
            }
        }
        guard let place = message.album, case .inline(let body) = message.body.place,
            let album = try connection.waitingAlbum(place, of: message), album.parts < AlbumPlace.mostParts
        else { return nil }
        try connection.run(
            """
            INSERT INTO album_parts (message_id, tenant_id, number, position, body, body_sha256)
            VALUES (?, ?, ?, ?, ?, ?)
            """, album.message, message.tenant, album.parts, place.position, body, message.body.sha256)
        for key in [message.deliveryKey] + message.otherKeys { try connection.name(album.message, key, of: message) }
        let due = place.due(parts: album.parts + 1, since: album.receivedAt, now: message.receivedAt)
        try connection.run("UPDATE messages SET due_at = ? WHERE id = ?", due, album.message)
        effects.messagesArrived = true
        return Acceptance(message: album.message, isRepeat: false)
    }

    /// Parts that came alone under the claimed names: one that waits still is done without items, and its names go over;
    /// one that was read is noted, so that the message does not bring it once more.
    mutating func takeOver(_ claims: [[UInt8]], by message: ReceivedMessage) throws(StoreError) {
        var early: [UInt8] = []
        for key in claims {
            switch try connection.part(named: key, of: message) {
            case nil: break
            case .waiting(let part):
                try connection.run(
                    "UPDATE delivery_names SET message_id = ?, is_part = 0 WHERE message_id = ?", message.id, part)
                try connection.run("UPDATE messages SET reason = 'it came again with its message' WHERE id = ?", part)
                try finish(part, now: message.receivedAt)
            case .read:
                early += key
                // Once: who shares the same thing again wants another pin.
                try connection.run(
                    """
                    UPDATE delivery_names SET message_id = ?, is_part = 0
                    WHERE tenant_id = ? AND route = ? AND delivery_key = ?
                    """, message.id, message.tenant, message.route.key, key)
            }
            try connection.name(message.id, key, of: message)
        }
        if !early.isEmpty { try connection.run("UPDATE messages SET early_parts = ? WHERE id = ?", early, message.id) }
    }
}

/// A part of a message that came alone, before the message.
private enum EarlyPart {
    case waiting(Message.ID)
    case read
}

private struct WaitingAlbum {
    let message: Message.ID
    let receivedAt: Date
    /// With the first.
    let parts: Int
}

extension Connection {
    fileprivate func waitingAlbum(
        _ place: AlbumPlace, of message: ReceivedMessage
    ) throws(StoreError) -> WaitingAlbum? {
        try first(
            """
            SELECT id, received_at, (SELECT count(*) FROM album_parts WHERE message_id = messages.id)
            FROM messages
            WHERE tenant_id = ? AND route = ? AND album_key = ? AND album_key IS NOT NULL AND state = 'accepted'
                AND body IS NOT NULL
            ORDER BY arrival DESC LIMIT 1
            """, message.tenant, message.route.key, place.key
        ) { (row: inout Row) throws(StoreError) in
            WaitingAlbum(message: row.id(), receivedAt: row.date(), parts: row.int() + 1)
        }
    }

    func message(named key: [UInt8], of message: ReceivedMessage) throws(StoreError) -> Message.ID? {
        try first(
            """
            SELECT message_id FROM delivery_names WHERE tenant_id = ?1 AND route = ?2 AND delivery_key = ?3
            UNION ALL SELECT id FROM messages WHERE tenant_id = ?1 AND route = ?2 AND delivery_key = ?3
            LIMIT 1
            """, message.tenant, message.route.key, key
        ) { (row: inout Row) throws(StoreError) -> Message.ID in row.id() }
    }

    fileprivate func part(named key: [UInt8], of message: ReceivedMessage) throws(StoreError) -> EarlyPart? {
        try first(
            """
            SELECT messages.id, messages.state FROM delivery_names JOIN messages ON messages.id = message_id
            WHERE delivery_names.tenant_id = ? AND delivery_names.route = ? AND delivery_names.delivery_key = ?
                AND is_part = 1
            """, message.tenant, message.route.key, key
        ) { (row: inout Row) throws(StoreError) -> EarlyPart in
            let part: Message.ID = row.id()
            return row.text() == "accepted" ? .waiting(part) : .read
        }
    }

    /// Lets a message be known by another key as well.
    func name(
        _ id: Message.ID, _ key: [UInt8], of message: ReceivedMessage, isPart: Bool = false
    ) throws(StoreError) {
        try run(
            """
            INSERT INTO delivery_names (tenant_id, route, delivery_key, message_id, is_part) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (tenant_id, route, delivery_key) DO NOTHING
            """, message.tenant, message.route.key, key, id, isPart)
    }

    /// The bodies of an album in its order; empty for a message that is none.
    func album(of message: Message.ID) throws(StoreError) -> [StoredBytes] {
        let later = try rows(
            "SELECT position, body, body_sha256 FROM album_parts WHERE message_id = ? ORDER BY number", message
        ) { (row: inout Row) throws(StoreError) in row.albumPart() }
        guard !later.isEmpty else { return [] }
        let first = try rows(
            "SELECT album_position, body, body_sha256 FROM messages WHERE id = ?", message
        ) { (row: inout Row) throws(StoreError) in row.albumPart() }
        let parts = (first + later).enumerated().sorted {
            ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
        }
        return parts.map(\.element.body)
    }
}

extension Row {
    fileprivate mutating func albumPart() -> (position: Int, body: StoredBytes) {
        let position = int()
        let (body, sha256) = (blob(), blob())
        return (position, StoredBytes(place: .inline(body), count: body.count, sha256: sha256))
    }
}

extension AlbumPlace {
    /// When the album is read: after a quiet while, at once when it is complete, and at the latest after `longest`.
    fileprivate func due(parts: Int, since start: Date, now: Date) -> Date {
        if let total, parts >= total { return now }
        return max(now, min(now + Self.quiet, start + Self.longest))
    }
}

extension ReceivedMessage {
    /// One key, and nothing to do with other messages.
    var isPlain: Bool { otherKeys.isEmpty && album == nil && claims.isEmpty && undo == nil }

    /// When it may be read.
    var firstDue: Date {
        guard let album else { return receivedAt + patience }
        return album.due(parts: 1, since: receivedAt, now: receivedAt)
    }
}
