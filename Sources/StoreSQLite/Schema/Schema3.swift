/// Mailboxes that are watched, and what became of the mails in them.
enum Schema3 {
    static let statements = [mailboxes, credentials, mails, messages]

    private static let mailboxes = """
        CREATE TABLE mailboxes (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            settings TEXT NOT NULL,
            secret_id TEXT NOT NULL,
            client_secret_id TEXT,
            created_at INTEGER NOT NULL,
            -- NULL before the first look into the folder.
            uid_validity INTEGER,
            next_uid INTEGER NOT NULL DEFAULT 1,
            last_success INTEGER,
            -- NULL after a success.
            last_error TEXT,
            last_error_at INTEGER,
            -- NULL: it is tried.
            stopped_reason TEXT
        )
        """

    /// As `credentials`, but of no tenant.
    private static let credentials = """
        CREATE TABLE mailbox_credentials (
            id TEXT PRIMARY KEY,
            mailbox_id TEXT NOT NULL REFERENCES mailboxes (id),
            purpose TEXT NOT NULL,
            key_id TEXT NOT NULL,
            box BLOB NOT NULL
        );
        CREATE INDEX mailbox_credentials_mailbox ON mailbox_credentials (mailbox_id);
        CREATE INDEX mailbox_credentials_key ON mailbox_credentials (key_id)
        """

    /// Under the UIDVALIDITY of the mailbox; with another one the rows go.
    private static let mails = """
        CREATE TABLE mailbox_mails (
            mailbox_id TEXT NOT NULL REFERENCES mailboxes (id),
            uid INTEGER NOT NULL,
            fate TEXT NOT NULL CHECK (fate IN ('taken', 'quarantined', 'failing')),
            reason TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            -- NULL where nothing happens to the mail.
            afterwards TEXT CHECK (afterwards IN ('waiting', 'copied', 'done')),
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (mailbox_id, uid)
        );
        CREATE INDEX mailbox_mails_waiting ON mailbox_mails (mailbox_id, uid) WHERE afterwards IN ('waiting', 'copied');
        CREATE INDEX mailbox_mails_fate ON mailbox_mails (mailbox_id, fate, uid) WHERE fate <> 'taken'
        """

    /// A mail for several addresses is a message for each; a message that is gone is final.
    private static let messages = """
        CREATE TABLE mailbox_messages (
            mailbox_id TEXT NOT NULL,
            uid INTEGER NOT NULL,
            message_id TEXT NOT NULL,
            PRIMARY KEY (mailbox_id, uid, message_id),
            FOREIGN KEY (mailbox_id, uid) REFERENCES mailbox_mails (mailbox_id, uid)
        )
        """
}
