/// Which pictures belong to the layout of which messages, so that the logos of a sender's every mail are known.
enum Schema15 {
    static let statements = [
        """
        CREATE TABLE layout_pictures (
            tenant_id TEXT NOT NULL REFERENCES tenants (id),
            -- SHA-256 of sender and picture.
            picture BLOB NOT NULL,
            -- Of which the row outlives it.
            message_id TEXT NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (tenant_id, picture, message_id)
        ) WITHOUT ROWID
        """
    ]
}
