/// Addresses with rules about senders, and a second token while one is rotated; mails that wait for a person.
enum Schema4 {
    static let statements = [
        // JSON; NULL: whoever knows the address.
        "ALTER TABLE addresses ADD COLUMN policy TEXT",
        // The token before the present one, and until when it lives.
        "ALTER TABLE addresses ADD COLUMN former_hash BLOB",
        "ALTER TABLE addresses ADD COLUMN former_until INTEGER",
        "CREATE UNIQUE INDEX addresses_former ON addresses (former_hash) WHERE former_hash IS NOT NULL",
        // Addresses to which senders write without a token.
        "ALTER TABLE addresses ADD COLUMN takes_senders INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX addresses_senders ON addresses (id) WHERE takes_senders <> 0",
        """
        CREATE TABLE quarantine (
            id TEXT PRIMARY KEY,
            -- What makes a mail the same one; NULL for a message, which is known by its own key.
            key BLOB UNIQUE,
            cause TEXT NOT NULL,
            reason TEXT NOT NULL,
            -- The message whose body this is; NULL for a mail that is nobody's.
            message_id TEXT UNIQUE,
            tenant_id TEXT,
            envelope TEXT NOT NULL,
            body BLOB,
            body_blob TEXT,
            body_count INTEGER NOT NULL,
            body_sha256 BLOB NOT NULL,
            held_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            FOREIGN KEY (message_id, tenant_id) REFERENCES messages (id, tenant_id)
        )
        """,
        "CREATE INDEX quarantine_age ON quarantine (held_at)",
        "CREATE INDEX quarantine_expiry ON quarantine (expires_at)",
        "CREATE INDEX quarantine_tenant ON quarantine (tenant_id) WHERE tenant_id IS NOT NULL",
        "CREATE UNIQUE INDEX quarantine_blob ON quarantine (body_blob) WHERE body_blob IS NOT NULL",
    ]
}
