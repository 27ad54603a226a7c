public import FoundationEssentials
public import PinpostCore

extension SQLiteStore: MailboxState {
    public func position(of mailbox: WatchedMailbox.ID) async throws(StoreError) -> MailboxPosition? {
        let position = try await readers.read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT uid_validity, next_uid, border_at, border_uid FROM mailboxes WHERE id = ?", mailbox
            ) { (row: inout Row) throws(StoreError) -> MailboxPosition? in
                let validity = row.optional { $0.number() }
                let next = row.number()
                let since = row.optional { $0.date() }
                let below = row.number()
                let border = since.map { MailboxPosition.Border(since: $0, belowUID: below) }
                return validity.map { MailboxPosition(uidValidity: $0, nextUID: next, border: border) }
            }
        }
        guard let position else { throw StoreError(.notFound, "mailbox") }
        return position
    }

    public func begin(_ position: MailboxPosition, in mailbox: WatchedMailbox.ID) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) -> Void in
            try transaction.connection.forgetPosition(of: mailbox)
            try transaction.connection.put(position, of: mailbox)
        }
    }

    public func record(
        _ verdicts: [MailVerdict], upTo position: MailboxPosition, in mailbox: WatchedMailbox.ID, now: Date
    ) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) -> Void in
            for verdict in verdicts { try transaction.connection.put(verdict, of: mailbox, now: now) }
            try transaction.connection.put(position, of: mailbox)
        }
    }

    public func failing(
        in mailbox: WatchedMailbox.ID, dueBy date: Date?, upTo limit: Int
    ) async throws(StoreError) -> [FailingMail] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows(
                """
                SELECT uid, attempts, due_at, seen_at FROM mailbox_mails
                WHERE mailbox_id = ? AND fate = 'failing' AND due_at <= ? ORDER BY due_at, uid LIMIT ?
                """, mailbox, date?.microseconds ?? .max, limit
            ) { (row: inout Row) throws(StoreError) in
                FailingMail(uid: row.number(), attempts: row.int(), due: row.date(), since: row.date())
            }
        }
    }

    public func judged(
        in mailbox: WatchedMailbox.ID, from uid: UInt32
    ) async throws(StoreError) -> Set<UInt32> {
        Set(
            try await uids(
                "SELECT uid FROM mailbox_mails WHERE mailbox_id = ? AND uid >= ?", mailbox, Int64(uid)))
    }

    public func given(in mailbox: WatchedMailbox.ID, newest limit: Int) async throws(StoreError) -> [UInt32] {
        try await uids(
            """
            SELECT uid FROM mailbox_mails WHERE mailbox_id = ? AND fate <> 'failing' AND attempts = 0
            ORDER BY uid DESC LIMIT ?
            """, mailbox, Int64(limit))
    }

    private func uids(
        _ statement: String, _ mailbox: WatchedMailbox.ID, _ bound: Int64
    ) async throws(StoreError) -> [UInt32] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows(statement, mailbox, bound) { (row: inout Row) throws(StoreError) in row.number() }
        }
    }

    public func finished(
        in mailbox: WatchedMailbox.ID, dueBy date: Date, upTo limit: Int
    ) async throws(StoreError) -> [FinishedMail] {
        try await readers.read { (connection) throws(StoreError) in
            try connection.rows(
                """
                SELECT uid, afterwards, \(Self.hasFailed), afterwards_failures FROM mailbox_mails AS mails
                WHERE mailbox_id = ? AND afterwards IN ('waiting', 'copied') AND afterwards_due <= ? AND NOT \(Self.isOpen)
                ORDER BY uid LIMIT ?
                """, mailbox, date, limit
            ) { (row: inout Row) throws(StoreError) in
                let uid = row.number()
                let progress: AfterwardsProgress = try row.choice()
                let hasFailed = row.flag()
                return FinishedMail(
                    uid: uid, hasFailed: hasFailed, progress: progress, failures: row.optional { $0.int() })
            }
        }
    }

    public func hasUnfinished(in mailbox: WatchedMailbox.ID) async throws(StoreError) -> Bool {
        try await readers.read { (connection) throws(StoreError) in
            try connection.exists(
                "SELECT 1 FROM mailbox_mails WHERE mailbox_id = ? AND afterwards IN ('waiting', 'copied')", mailbox)
        }
    }

    public func note(
        _ progress: AfterwardsProgress, of uids: [UInt32], in mailbox: WatchedMailbox.ID
    ) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            for uid in uids {
                try transaction.connection.run(
                    "UPDATE mailbox_mails SET afterwards = ?, afterwards_error = NULL WHERE mailbox_id = ? AND uid = ?",
                    progress.rawValue, mailbox, uid)
            }
        }
    }

    public func note(_ troubles: [AfterwardsTrouble], in mailbox: WatchedMailbox.ID) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            for trouble in troubles {
                try transaction.connection.run(
                    """
                    UPDATE mailbox_mails SET afterwards_failures = ?1, afterwards_error = ?2,
                        afterwards_due = coalesce(?3, afterwards_due),
                        afterwards = CASE WHEN ?3 IS NULL THEN 'done' ELSE afterwards END
                    WHERE mailbox_id = ?4 AND uid = ?5
                    """, trouble.failures, trouble.reason, trouble.due, mailbox, trouble.uid)
            }
        }
    }

    public func noteSuccess(of mailbox: WatchedMailbox.ID, now: Date) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) -> Void in
            try transaction.connection.run(
                "UPDATE mailboxes SET last_success = ?, last_error = NULL, last_error_at = NULL WHERE id = ?",
                now, mailbox)
        }
    }

    public func noteFailure(
        of mailbox: WatchedMailbox.ID, _ reason: String, stop: Bool, now: Date
    ) async throws(StoreError) {
        let stopped: String? = stop ? reason : nil
        try await writer.write { (transaction) throws(StoreError) -> Void in
            try transaction.connection.run(
                "UPDATE mailboxes SET last_error = ?, last_error_at = ?, stopped_reason = ? WHERE id = ?",
                reason, now, stopped, mailbox)
        }
    }

    public func expire(
        in mailbox: WatchedMailbox.ID, before date: Date, keeping limit: Int
    ) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            let connection = transaction.connection
            try connection.forgetMails(
                of: mailbox, where: "fate <> 'failing' AND coalesce(afterwards, 'done') = 'done' AND seen_at < ?2", date
            )
            try connection.forgetMails(
                of: mailbox,
                where: """
                    fate = 'quarantined' AND uid < (SELECT min(uid) FROM (SELECT uid FROM mailbox_mails
                        WHERE mailbox_id = ?1 AND fate = 'quarantined' ORDER BY uid DESC LIMIT ?2))
                    """, limit)
        }
    }

    /// Some message of the mail is on its way.
    private static let isOpen = exists("messages.state IN ('accepted', 'reading', 'delivering')")

    /// Some message of the mail, or an item of one, needs a person; something the sender wanted could not be taken; or
    /// nothing of a message became a pin.
    private static let hasFailed = exists(
        """
        (messages.state = 'parked'
            OR instr(messages.skipped, '"isLoss":true') > 0
            OR EXISTS (SELECT 1 FROM items WHERE items.message_id = messages.id AND items.state IN ('parked', 'cancelled'))
            OR NOT EXISTS (SELECT 1 FROM items WHERE items.message_id = messages.id AND items.state = 'done'))
        """)

    private static func exists(_ condition: String) -> String {
        """
        EXISTS (SELECT 1 FROM mailbox_messages JOIN messages ON messages.id = mailbox_messages.message_id
            WHERE mailbox_messages.mailbox_id = mails.mailbox_id AND mailbox_messages.uid = mails.uid AND \(condition))
        """
    }
}

extension Connection {
    fileprivate func forgetMails(
        of mailbox: WatchedMailbox.ID, where condition: String, _ bound: any SQLConvertible
    ) throws(StoreError) {
        let mails = "mailbox_mails WHERE mailbox_id = ?1 AND \(condition)"
        try run(
            "DELETE FROM mailbox_messages WHERE mailbox_id = ?1 AND uid IN (SELECT uid FROM \(mails))", mailbox, bound)
        try run("DELETE FROM \(mails)", mailbox, bound)
    }

    fileprivate func put(_ position: MailboxPosition, of mailbox: WatchedMailbox.ID) throws(StoreError) {
        let changed = try run(
            "UPDATE mailboxes SET uid_validity = ?, next_uid = ?, border_at = ?, border_uid = ? WHERE id = ?",
            position.uidValidity, position.nextUID, position.border?.since, position.border?.belowUID ?? 0, mailbox)
        guard changed > 0 else { throw StoreError(.notFound, "mailbox") }
    }

    fileprivate func put(
        _ verdict: MailVerdict, of mailbox: WatchedMailbox.ID, now: Date
    ) throws(StoreError) {
        switch verdict.fate {
        case .taken(let messages, let waits):
            let progress = waits ? AfterwardsProgress.waiting.rawValue : nil
            try put(verdict.uid, of: mailbox, fate: "taken", afterwards: progress, now: now)
            for message in messages {
                try run(
                    """
                    INSERT INTO mailbox_messages (mailbox_id, uid, message_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
                    """, mailbox, verdict.uid, message)
            }
        case .quarantined(let reason): try put(verdict.uid, of: mailbox, fate: "quarantined", reason: reason, now: now)
        case .unreadable(let attempts, let reason):
            try put(
                verdict.uid, of: mailbox, fate: "quarantined", reason: reason, attempts: max(attempts, 1), now: now)
        case .failing(let attempts, let due, let reason):
            try put(
                verdict.uid, of: mailbox, fate: "failing", reason: reason, attempts: attempts, due: due, now: now)
        case .gone:
            try run("DELETE FROM mailbox_messages WHERE mailbox_id = ? AND uid = ?", mailbox, verdict.uid)
            try run("DELETE FROM mailbox_mails WHERE mailbox_id = ? AND uid = ?", mailbox, verdict.uid)
        }
    }

    private func put(
        _ uid: UInt32, of mailbox: WatchedMailbox.ID, fate: String, reason: String? = nil, attempts: Int = 0,
        due: Date? = nil, afterwards: String? = nil, now: Date
    ) throws(StoreError) {
        try run(
            """
            INSERT INTO mailbox_mails (mailbox_id, uid, fate, reason, attempts, due_at, afterwards, seen_at)
            VALUES (?, ?, ?, ?, ?, coalesce(?, 0), ?, ?)
            ON CONFLICT (mailbox_id, uid) DO UPDATE SET fate = excluded.fate, reason = excluded.reason,
                attempts = excluded.attempts, due_at = excluded.due_at,
                afterwards = coalesce(mailbox_mails.afterwards, excluded.afterwards)
            """, mailbox, uid, fate, reason, attempts, due, afterwards, now)
    }
}
