/// Mails of mailboxes wait for their next try, each for itself; mailboxes for new mail alone know what is old.
enum Schema14 {
    static let statements = [
        // When a failing mail is asked for again.
        "ALTER TABLE mailbox_mails ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0",
        // NULL: what is to happen afterwards has not failed yet, not even among others.
        "ALTER TABLE mailbox_mails ADD COLUMN afterwards_failures INTEGER",
        // When it is tried again.
        "ALTER TABLE mailbox_mails ADD COLUMN afterwards_due INTEGER NOT NULL DEFAULT 0",
        // The server's words at the last failure; NULL before the first one and after a success.
        "ALTER TABLE mailbox_mails ADD COLUMN afterwards_error TEXT",
        "CREATE INDEX mailbox_mails_trouble ON mailbox_mails (mailbox_id, uid) WHERE afterwards_error IS NOT NULL",
        // What came before that moment is not ours; NULL where everything is.
        "ALTER TABLE mailboxes ADD COLUMN border_at INTEGER",
        // From this UID on everything is ours.
        "ALTER TABLE mailboxes ADD COLUMN border_uid INTEGER NOT NULL DEFAULT 0",
        // Mails that were given up before this step were written down without their tries.
        """
        UPDATE mailbox_mails SET attempts = 2
        WHERE fate = 'quarantined' AND attempts = 0 AND reason LIKE 'Not readable in %'
        """,
    ]
}
