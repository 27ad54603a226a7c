/// The outbox: answers that senders wait for.
enum Schema5 {
    static let statements = [
        """
        CREATE TABLE replies (
            message_id TEXT PRIMARY KEY,
            tenant_id TEXT NOT NULL,
            due_at INTEGER NOT NULL,
            -- Counts takings; a later one fences the earlier ones.
            attempt INTEGER NOT NULL DEFAULT 0,
            tried_since INTEGER,
            reason TEXT,
            -- SHA-256 of whom it goes to, and when it was counted for the limits.
            correspondent BLOB,
            admitted_at INTEGER,
            -- NULL while it is owed.
            settled_at INTEGER,
            is_sent INTEGER NOT NULL DEFAULT 0,
            FOREIGN KEY (message_id, tenant_id) REFERENCES messages (id, tenant_id)
        )
        """,
        "CREATE INDEX replies_due ON replies (due_at) WHERE settled_at IS NULL",
        "CREATE INDEX replies_tenant ON replies (tenant_id, admitted_at)",
        "CREATE INDEX replies_correspondent ON replies (correspondent, admitted_at) WHERE correspondent IS NOT NULL",
    ]
}
