public import FoundationEssentials
public import PinpostCore

extension SQLiteStore: MailboxDirectory {
    public func mailboxes() async throws(StoreError) -> [WatchedMailbox] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows("SELECT \(WatchedMailbox.columns) FROM \(WatchedMailbox.tables) ORDER BY name") {
                (row: inout Row) throws(StoreError) in try WatchedMailbox(&row)
            }
        }
    }

    public func add(_ mailbox: WatchedMailbox) async throws(StoreError) {
        let settings = try JSONColumn.encode(mailbox.settings)
        try await changeMailboxes { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO mailboxes (id, name, settings, secret_id, client_secret_id, created_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                mailbox.id, mailbox.name, settings, mailbox.secret.id, mailbox.clientSecret?.id, mailbox.createdAt)
            try mailbox.putSecrets(on: connection)
        }
    }

    public func update(_ mailbox: WatchedMailbox, insteadOf old: WatchedMailbox?) async throws(StoreError) -> Bool {
        let settings = try JSONColumn.encode(mailbox.settings)
        return try await changeMailboxes { (connection) throws(StoreError) in
            guard let stored = try connection.mailbox(mailbox.id) else { throw StoreError(.notFound, "mailbox") }
            if let old, stored != old { return false }
            try connection.run(
                """
                UPDATE mailboxes SET name = ?, settings = ?, secret_id = ?, client_secret_id = ?, stopped_reason = NULL,
                    last_error = NULL, last_error_at = NULL
                WHERE id = ?
                """,
                mailbox.name, settings, mailbox.secret.id, mailbox.clientSecret?.id, mailbox.id)
            try mailbox.putSecrets(on: connection)
            // In another folder the UIDs are other mails'.
            if !stored.settings.isSameFolder(as: mailbox.settings) { try connection.forgetPosition(of: mailbox.id) }
            return true
        }
    }

    public func replaceSecret(of mailbox: WatchedMailbox.ID, with secret: SealedSecret) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) -> Void in
            let connection = transaction.connection
            let old = try connection.first("SELECT secret_id FROM mailboxes WHERE id = ?", mailbox) {
                (row: inout Row) throws(StoreError) -> Identifier<SealedSecret> in row.id()
            }
            guard let old else { throw StoreError(.notFound, "mailbox") }
            try secret.insert(for: mailbox, on: connection)
            try connection.run("UPDATE mailboxes SET secret_id = ? WHERE id = ?", secret.id, mailbox)
            try connection.run("DELETE FROM mailbox_credentials WHERE id = ?", old)
        }
    }

    public func remove(_ mailbox: WatchedMailbox.ID) async throws(StoreError) {
        try await changeMailboxes { (connection) throws(StoreError) in
            try connection.forgetPosition(of: mailbox)
            try connection.run("DELETE FROM mailbox_credentials WHERE mailbox_id = ?", mailbox)
            guard try connection.run("DELETE FROM mailboxes WHERE id = ?", mailbox) > 0 else {
                throw StoreError(.notFound, "mailbox")
            }
        }
    }

    public func health(of mailbox: WatchedMailbox.ID) async throws(StoreError) -> MailboxHealth {
        let health = try await readers.read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT last_success, last_error, last_error_at, stopped_reason,
                    (SELECT count(*) FROM mailbox_mails WHERE mailbox_id = ?1 AND fate = 'taken'),
                    (SELECT count(*) FROM mailbox_mails WHERE mailbox_id = ?1 AND fate = 'quarantined'),
                    (SELECT count(*) FROM mailbox_mails
                        WHERE mailbox_id = ?1 AND fate = 'quarantined' AND attempts > 0),
                    (SELECT count(*) FROM mailbox_mails WHERE mailbox_id = ?1 AND fate = 'failing')
                FROM mailboxes WHERE id = ?1
                """, mailbox
            ) { (row: inout Row) throws(StoreError) in
                MailboxHealth(
                    lastSuccess: row.optional { $0.date() }, lastError: row.optional { $0.text() },
                    lastErrorAt: row.optional { $0.date() }, stoppedReason: row.optional { $0.text() },
                    taken: row.int(), quarantined: row.int(), unreadable: row.int(), failing: row.int())
            }
        }
        guard let health else { throw StoreError(.notFound, "mailbox") }
        return health
    }

    public func quarantine(
        of mailbox: WatchedMailbox.ID, newest limit: Int
    ) async throws(StoreError) -> [QuarantinedMail] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows(
                """
                SELECT uid, fate, attempts, reason, seen_at FROM (
                    SELECT uid, fate, attempts, reason, seen_at FROM mailbox_mails
                    WHERE mailbox_id = ?1 AND fate <> 'taken'
                    UNION ALL
                    SELECT uid, fate, attempts, afterwards_error, seen_at FROM mailbox_mails
                    WHERE mailbox_id = ?1 AND afterwards_error IS NOT NULL AND fate = 'taken')
                ORDER BY uid DESC LIMIT ?2
                """, mailbox, limit
            ) { (row: inout Row) throws(StoreError) in
                let (uid, fate, attempts) = (row.number(), row.text(), row.int())
                let kind: QuarantinedMail.Kind =
                    switch fate {
                    case "taken": .unmoved
                    case "failing": .failing
                    default: attempts > 0 ? .unreadable : .leftAlone
                    }
                return QuarantinedMail(uid: uid, kind: kind, reason: row.text(), seenAt: row.date())
            }
        }
    }

    public func readAgain(in mailbox: WatchedMailbox.ID, now: Date) async throws(StoreError) -> Int {
        try await writer.write { (transaction) throws(StoreError) in
            try transaction.connection.run(
                """
                UPDATE mailbox_mails SET fate = 'failing', attempts = 0, due_at = ?1, seen_at = ?1
                WHERE mailbox_id = ?2 AND fate <> 'taken'
                """, now, mailbox)
        }
    }

    /// A write after which the watchers look at the list again.
    private func changeMailboxes<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await writer.write { (transaction) throws(StoreError) in
            transaction.effects.mailboxesChanged = true
            return try body(transaction.connection)
        }
    }
}

extension MailboxSettings {
    fileprivate func isSameFolder(as other: MailboxSettings) -> Bool {
        host == other.host && port == other.port && username == other.username && folder == other.folder
    }
}

extension Connection {
    fileprivate func mailbox(_ id: WatchedMailbox.ID) throws(StoreError) -> WatchedMailbox? {
        try first("SELECT \(WatchedMailbox.columns) FROM \(WatchedMailbox.tables) WHERE mailboxes.id = ?", id) {
            (row: inout Row) throws(StoreError) in try WatchedMailbox(&row)
        }
    }

    /// Forgets what is known by UID.
    func forgetPosition(of mailbox: WatchedMailbox.ID) throws(StoreError) {
        try run("DELETE FROM mailbox_messages WHERE mailbox_id = ?", mailbox)
        try run("DELETE FROM mailbox_mails WHERE mailbox_id = ?", mailbox)
        try run(
            """
            UPDATE mailboxes SET uid_validity = NULL, next_uid = 1, border_at = NULL, border_uid = 0 WHERE id = ?
            """, mailbox)
    }
}
