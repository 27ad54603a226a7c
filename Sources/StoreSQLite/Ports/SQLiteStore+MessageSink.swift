internal import FoundationEssentials
public import PinpostCore

extension SQLiteStore: MessageSink {
    public func accept(_ message: ReceivedMessage) async throws(StoreError) -> Acceptance {
        let envelope = try envelopes.text(of: message.envelope)
        return try await writer.write(withSavepoint: !message.isPlain) { (transaction) throws(StoreError) in
            try transaction.accept(message, envelope: envelope)
        }
    }
}

extension Transaction {
    /// Adds a message, or finds the one that holds its delivery already.
    mutating func accept(_ message: ReceivedMessage, envelope: String) throws(StoreError) -> Acceptance {
        if let known = try joinOrRecognise(message) { return known }
        let undone = try connection.target(of: message)
        if case .delivery = message.undo, undone == nil { return Acceptance(message: message.id, isRepeat: true) }
        if try connection.insert(message, envelope: envelope) {
            for key in message.otherKeys {
                try connection.name(message.id, key, of: message, isPart: message.patience > 0)
            }
            try takeOver(message.claims, by: message)
            if let undone { try connection.run("UPDATE messages SET undoes = ? WHERE id = ?", undone, message.id) }
            effects.messagesArrived = true
            return Acceptance(message: message.id, isRepeat: false)
        }
        let known = try connection.first(
            "SELECT id FROM messages WHERE tenant_id = ? AND route = ? AND delivery_key = ?",
            message.tenant, message.route.key, message.deliveryKey
        ) { (row: inout Row) throws(StoreError) -> Message.ID in row.id() }
        guard let known else { throw StoreError(.conflict, "message") }
        return Acceptance(message: known, isRepeat: true)
    }
}

extension SQLiteStore: BlobStore {
    /// The same bodies, for work that leaves room on the disk to what is more urgent.
    public func blobs(for use: DiskUse) -> any BlobStore { RationedSpool(spool: spool, use: use) }

    public func makeWriter() -> any BlobWriter { spool.makeWriter() }
    public func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { try spool.open(bytes) }
    public func discard(_ bytes: StoredBytes) { spool.discard(bytes) }
}

extension Connection {
    /// Adds a message; false when its delivery is known.
    fileprivate func insert(_ message: ReceivedMessage, envelope: String) throws(StoreError) -> Bool {
        let body = StoredBytesColumns(message.body)
        return try run(
            """
            INSERT INTO messages (
                id, tenant_id, arrival, route, address_id, hook_id, source, delivery_key, body, body_blob, body_count,
                body_sha256, envelope, state, due_at, received_at, album_key, album_position, author, thread)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'accepted', ?, ?, ?, ?, ?, ?)
            ON CONFLICT (tenant_id, route, delivery_key) DO NOTHING
            """,
            message.id, message.tenant, try nextArrival(message.receivedAt), message.route.key, message.route.address,
            message.route.hook, message.source.rawValue, message.deliveryKey, body.inline, body.blob, body.count,
            body.sha256, envelope, message.firstDue, message.receivedAt, message.album?.key,
            message.album?.position ?? 0, message.author, message.thread) > 0
    }

    /// A number above all others: the time, or one more than the last where the clock stands or goes back.
    private func nextArrival(_ time: Date) throws(StoreError) -> Int64 {
        let last = try first("SELECT arrival FROM messages ORDER BY arrival DESC LIMIT 1") {
            (row: inout Row) throws(StoreError) in row.integer()
        }
        return max(time.microseconds, (last ?? 0) + 1)
    }
}
