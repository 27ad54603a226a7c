internal import Cryptography
public import FoundationEssentials
public import PinpostCore

extension SQLiteStore: Quarantine {
    public func hold(
        _ mail: HeldMail, key: [UInt8], within limits: QuarantineLimits
    ) async throws(StoreError) -> HeldMail.ID {
        let envelope = try JSONColumn.encode(mail.envelope)
        return try await writer.write { (transaction) throws(StoreError) in
            let known = try transaction.connection.first("SELECT id FROM quarantine WHERE key = ?", key) {
                (row: inout Row) throws(StoreError) -> HeldMail.ID in row.id()
            }
            if let known { return known }
            try transaction.connection.insert(mail, key: key, envelope: envelope)
            try transaction.tidyQuarantine(of: mail.tenant, within: limits, now: mail.heldAt)
            return mail.id
        }
    }

    public func hold(
        _ message: Message.ID, because reason: String, within limits: QuarantineLimits, now: Date
    ) async throws(StoreError) {
        var random = SystemRandom()
        let id = HeldMail.ID.random(using: &random)
        try await writer.write { (transaction) throws(StoreError) in
            let connection = transaction.connection
            guard let found = try connection.message(message) else { throw StoreError(.notFound, "message") }
            guard found.state == .accepted, let body = found.body else {
                throw StoreError(.refused, "the message has been read")
            }
            // The file changes its owner: at no time do two rows name it.
            try connection.run("UPDATE messages SET body = NULL, body_blob = NULL WHERE id = ?", message)
            try connection.insert(
                HeldMail(
                    id: id, cause: .sender, reason: reason, message: message, tenant: found.tenant,
                    envelope: found.envelope, body: body, heldAt: now, expiresAt: now + limits.age),
                key: nil, envelope: try JSONColumn.encode(found.envelope))
            try connection.run(
                "UPDATE messages SET state = 'parked', reason = ?, finished_at = ?, crashes = 0 WHERE id = ?", reason,
                now, message)
            transaction.effects.finishedMessages.append(message)
            try transaction.tidyQuarantine(of: found.tenant, within: limits, now: now)
        }
    }

    public func heldMails(newest limit: Int) async throws(StoreError) -> [HeldMail] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows(
                "SELECT \(HeldMail.columns) FROM quarantine ORDER BY held_at DESC, id LIMIT ?", limit
            ) { (row: inout Row) throws(StoreError) in try HeldMail(&row) }
        }
    }

    public func heldMail(_ id: HeldMail.ID) async throws(StoreError) -> HeldMail? {
        try await readers.read { (connection) throws(StoreError) in try connection.heldMail(id) }
    }

    public func heldMail(of message: Message.ID) async throws(StoreError) -> HeldMail? {
        try await readers.read { (connection) throws(StoreError) in try connection.heldMail(of: message) }
    }

    public func release(_ id: HeldMail.ID, past isTrusted: Bool, now: Date) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            guard let held = try transaction.connection.heldMail(id) else { throw StoreError(.notFound, "mail") }
            guard let message = held.message else { throw StoreError(.refused, "the mail is nobody's") }
            try transaction.giveBack(held, to: message, past: isTrusted, now: now)
        }
    }

    public func release(
        _ id: HeldMail.ID, as message: ReceivedMessage
    ) async throws(StoreError) -> Acceptance {
        let envelope = try JSONColumn.encode(message.envelope)
        return try await writer.write { (transaction) throws(StoreError) in
            let connection = transaction.connection
            guard try connection.run("DELETE FROM quarantine WHERE id = ? AND message_id IS NULL", id) > 0 else {
                throw StoreError(.notFound, "mail")
            }
            let acceptance = try transaction.accept(message, envelope: envelope)
            if acceptance.isRepeat, let blob = message.body.blob { transaction.effects.orphanedBlobs.append(blob) }
            return acceptance
        }
    }

    public func removeHeld(_ id: HeldMail.ID) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            guard try transaction.throwAway("id = ?", id) > 0 else { throw StoreError(.notFound, "mail") }
        }
    }

    public func expireHeld(now: Date) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) -> Void in
            try transaction.throwAway("expires_at <= ?", now)
        }
    }

    public func replay(_ message: Message.ID, now: Date) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            let connection = transaction.connection
            guard let found = try connection.message(message) else { throw StoreError(.notFound, "message") }
            guard found.state == .parked else { throw StoreError(.refused, "only a parked message can be read again") }
            if let held = try connection.heldMail(of: message) {
                return try transaction.giveBack(held, to: message, past: false, now: now)
            }
            guard found.body != nil else { throw StoreError(.refused, "its source is gone") }
            try transaction.readAgain(message, now: now)
        }
    }
}

extension Connection {
    fileprivate func insert(_ mail: HeldMail, key: [UInt8]?, envelope: String) throws(StoreError) {
        let body = StoredBytesColumns(mail.body)
        try run(
            """
            INSERT INTO quarantine (
                id, key, cause, reason, message_id, tenant_id, envelope, body, body_blob, body_count, body_sha256,
                held_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            mail.id, key, mail.cause.rawValue, mail.reason, mail.message, mail.tenant, envelope, body.inline, body.blob,
            body.count, body.sha256, mail.heldAt, mail.expiresAt)
    }

    fileprivate func heldMail(_ id: HeldMail.ID) throws(StoreError) -> HeldMail? {
        try first("SELECT \(HeldMail.columns) FROM quarantine WHERE id = ?", id) {
            (row: inout Row) throws(StoreError) in try HeldMail(&row)
        }
    }
}

extension Connection {
    fileprivate func heldMail(of message: Message.ID) throws(StoreError) -> HeldMail? {
        try first("SELECT \(HeldMail.columns) FROM quarantine WHERE message_id = ?", message) {
            (row: inout Row) throws(StoreError) in try HeldMail(&row)
        }
    }
}

extension Transaction {
    /// Removes what is too old, then a tenant's oldest until the rest of his is within the limits; nil: what is nobody's.
    ///
    /// Strangers cannot push out a tenant's mail, nor one tenant another's.
    fileprivate mutating func tidyQuarantine(
        of tenant: Tenant.ID?, within limits: QuarantineLimits, now: Date
    ) throws(StoreError) {
        try throwAway("expires_at <= ?", now)
        while true {
            let size = try connection.first(
                "SELECT count(*), coalesce(sum(body_count), 0) FROM quarantine WHERE tenant_id IS ?", tenant
            ) { (row: inout Row) throws(StoreError) in (mails: row.int(), bytes: row.int()) }
            guard let size, size.mails > limits.mails || size.bytes > limits.bytes, size.mails > 1 else { return }
            let oldest = try connection.first(
                "SELECT id FROM quarantine WHERE tenant_id IS ? ORDER BY held_at, id LIMIT 1", tenant
            ) { (row: inout Row) throws(StoreError) -> HeldMail.ID in row.id() }
            try throwAway("id = ?", oldest)
        }
    }

    /// The bodies go with their rows.
    @discardableResult
    fileprivate mutating func throwAway(
        _ condition: String, _ value: any SQLConvertible
    ) throws(StoreError) -> Int {
        let gone = try connection.rows(
            "DELETE FROM quarantine WHERE \(condition) RETURNING body_blob", value
        ) { (row: inout Row) throws(StoreError) -> Blob.ID? in row.optional { $0.id() } }
        effects.orphanedBlobs += gone.compactMap { $0 }
        return gone.count
    }

    fileprivate mutating func giveBack(
        _ held: HeldMail, to message: Message.ID, past isTrusted: Bool, now: Date
    ) throws(StoreError) {
        try connection.run("DELETE FROM quarantine WHERE id = ?", held.id)
        var envelope = held.envelope
        if isTrusted { envelope.isReleased = true }
        let body = StoredBytesColumns(held.body)
        try connection.run(
            "UPDATE messages SET body = ?, body_blob = ?, envelope = ? WHERE id = ?", body.inline, body.blob,
            try JSONColumn.encode(envelope), message)
        try readAgain(message, now: now)
    }

    fileprivate mutating func readAgain(_ message: Message.ID, now: Date) throws(StoreError) {
        try connection.run(
            """
            UPDATE messages SET state = 'accepted', crashes = 0, due_at = ?, reason = NULL, finished_at = NULL
            WHERE id = ?
            """, now, message)
        effects.messagesArrived = true
    }

    /// Everything of a tenant that waits for a person.
    mutating func emptyQuarantine(of tenant: Tenant.ID) throws(StoreError) { try throwAway("tenant_id = ?", tenant) }
}
