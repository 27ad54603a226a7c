public import FoundationEssentials
public import PinpostCore

extension SQLiteStore: SplitQueue {
    /// A message that was being read when this many processes died is parked.
    private static let deadlyCrashes = 3

    public func takeAccepted(upTo limit: Int, now: Date) async throws(StoreError) -> [Message] {
        try await writer.write { (transaction) throws(StoreError) in
            var taken: [Message.ID] = []
            var hasParked = false
            repeat {
                hasParked = false
                for candidate in try transaction.connection.waitingMessages(upTo: limit, now: now) {
                    if candidate.crashes >= Self.deadlyCrashes {
                        let reason = "poison: reading it stopped Pinpost \(candidate.crashes) times"
                        try transaction.park(candidate.id, reason: reason, now: now)
                        hasParked = true
                        continue
                    }
                    // A suspect is read alone: no other message is to be blamed for it.
                    if candidate.crashes > 0, !taken.isEmpty { break }
                    try transaction.connection.startReading(candidate.id)
                    taken.append(candidate.id)
                    if candidate.crashes > 0 { break }
                }
                // Behind parked messages others may wait.
            } while taken.isEmpty && hasParked
            return try transaction.connection.messages(taken)
        }
    }

    public func split(
        _ message: Message.ID, into items: [NewItem], skipped: [SkippedPart], note: String?, owesReply: Bool,
        now: Date
    ) async throws(StoreError) {
        var drafts: [String] = []
        for item in items { drafts.append(try JSONColumn.encode(item.draft)) }
        let (texts, skippedText) = (drafts, try JSONColumn.encode(skipped))
        try await writer.write { (transaction) throws(StoreError) in
            guard let place = try transaction.connection.place(of: message) else {
                throw StoreError(.notFound, "message")
            }
            guard place.isUnread else { return try transaction.forget(unused: items) }
            for (item, draft) in zip(items, texts) {
                try transaction.connection.insert(item, draft: draft, of: message, at: place, now: now)
            }
            try transaction.connection.run(
                "UPDATE messages SET state = 'delivering', reason = ?, skipped = ?, crashes = 0 WHERE id = ?",
                note, skippedText, message)
            if owesReply { try transaction.connection.oweReply(to: message, now: now) }
            guard !items.isEmpty else { return try transaction.finish(message, now: now) }
            try Schedule(connection: transaction.connection)
                .itemBecameReady(of: place.tenant, in: .prepare, due: now, now: now)
            transaction.effects.itemsArrived = true
        }
    }

    public func park(_ message: Message.ID, reason: String, now: Date) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            guard let place = try transaction.connection.place(of: message) else {
                throw StoreError(.notFound, "message")
            }
            guard place.isUnread else { throw StoreError(.refused, "the message has been read") }
            try transaction.park(message, reason: reason, now: now)
        }
    }

    public func postpone(_ message: Message.ID, until: Date, reason: String) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            let changed = try transaction.connection.run(
                """
                UPDATE messages SET state = 'accepted', crashes = crashes - 1, due_at = ?, reason = ?
                WHERE id = ? AND state = 'reading'
                """, until, reason, message)
            guard changed > 0 else { throw StoreError(.notFound, "message") }
            transaction.effects.messagesArrived = true
        }
    }

    public func nextUnread() async throws(StoreError) -> Date? {
        try await readers.read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT due_at FROM messages WHERE state = 'accepted' ORDER BY due_at, arrival LIMIT 1"
            ) { (row: inout Row) throws(StoreError) in row.date() }
        }
    }
}

/// Whose a message is, and whether it still waits to be read.
private struct MessagePlace {
    let tenant: Tenant.ID
    let arrival: Int64
    let isUnread: Bool
}

extension Connection {
    fileprivate func waitingMessages(
        upTo limit: Int, now: Date
    ) throws(StoreError) -> [(id: Message.ID, crashes: Int)] {
        try rows(
            """
            SELECT id, crashes FROM messages WHERE state = 'accepted' AND due_at <= ? ORDER BY due_at, arrival LIMIT ?
            """, now, limit
        ) { (row: inout Row) throws(StoreError) in (id: row.id(), crashes: row.int()) }
    }

    fileprivate func startReading(_ message: Message.ID) throws(StoreError) {
        try run("UPDATE messages SET state = 'reading', crashes = crashes + 1 WHERE id = ?", message)
    }

    fileprivate func messages(_ ids: [Message.ID]) throws(StoreError) -> [Message] {
        var messages: [Message] = []
        for id in ids {
            guard var message = try message(id) else { continue }
            message.album = try album(of: id)
            message.elder = try elder(of: id)
            messages.append(message)
        }
        return messages
    }

    fileprivate func place(of message: Message.ID) throws(StoreError) -> MessagePlace? {
        try first("SELECT tenant_id, arrival, state FROM messages WHERE id = ?", message) {
            (row: inout Row) throws(StoreError) in
            MessagePlace(
                tenant: row.id(), arrival: row.integer(), isUnread: ["accepted", "reading"].contains(row.text()))
        }
    }

    fileprivate func insert(
        _ item: NewItem, draft: String, of message: Message.ID, at place: MessagePlace, now: Date
    ) throws(StoreError) {
        var (link, name, original, media): (FoundLink?, String?, StoredBytes?, String?)
        switch item.kind {
        case .link(let found): link = found
        case .media(let file):
            // Not a page, and nothing to look a pin up by.
            (link, name) = (FoundLink(url: "", isImage: true), file.name)
            media = try JSONColumn.encode(file)
        case .image(let bytes, let fileName): (original, name) = (bytes, fileName)
        }
        let columns = StoredBytesColumns(original)
        try run(
            """
            INSERT INTO items (
                id, tenant_id, message_id, sequence, arrival, link, link_is_image, media, name, original,
                original_blob, original_count, original_sha256, draft, step, state, due_at, queued_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'prepare', 'ready', ?, ?)
            """,
            item.id, place.tenant, message, item.sequence, place.arrival, link?.url, link?.isImage ?? false, media,
            name,
            columns.inline, columns.blob, columns.count, columns.sha256, draft, now, now)
    }
}

extension Transaction {
    fileprivate mutating func park(_ message: Message.ID, reason: String, now: Date) throws(StoreError) {
        try connection.run(
            "UPDATE messages SET state = 'parked', reason = ?, finished_at = ? WHERE id = ?", reason, now, message)
        effects.finishedMessages.append(message)
    }

    /// The splitter repeated itself with new files: they have no row.
    fileprivate mutating func forget(unused items: [NewItem]) throws(StoreError) {
        for item in items {
            guard case .image(let bytes, _) = item.kind, let blob = bytes.blob else { continue }
            if try !connection.names(blob) { effects.orphanedBlobs.append(blob) }
        }
    }
}
