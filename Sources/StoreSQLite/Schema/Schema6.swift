/// Hooks of named providers: their settings and secrets, albums, and pictures that still lie with a provider.
enum Schema6 {
    static let statements = [hooks, messages, names, parts, items]

    private static let hooks = """
        ALTER TABLE hooks ADD COLUMN settings TEXT NOT NULL DEFAULT '{"allowed":[],"options":{}}';
        -- Both in `credentials`.
        ALTER TABLE hooks ADD COLUMN secret_id TEXT;
        ALTER TABLE hooks ADD COLUMN token_id TEXT
        """

    private static let messages = """
        ALTER TABLE messages ADD COLUMN album_key BLOB;
        ALTER TABLE messages ADD COLUMN album_position INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX messages_album ON messages (tenant_id, route, album_key)
            WHERE album_key IS NOT NULL AND state = 'accepted'
        """

    /// Further delivery keys of a message: the provider's other names for it, and those of the album's later parts.
    private static let names = """
        CREATE TABLE delivery_names (
            tenant_id TEXT NOT NULL,
            route TEXT NOT NULL,
            delivery_key BLOB NOT NULL,
            message_id TEXT NOT NULL,
            PRIMARY KEY (tenant_id, route, delivery_key),
            FOREIGN KEY (message_id, tenant_id) REFERENCES messages (id, tenant_id)
        )
        """

    /// What came after the album's first part; gone with the message's body.
    private static let parts = """
        CREATE TABLE album_parts (
            message_id TEXT NOT NULL,
            tenant_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            position INTEGER NOT NULL,
            body BLOB NOT NULL,
            body_sha256 BLOB NOT NULL,
            PRIMARY KEY (message_id, number),
            FOREIGN KEY (message_id, tenant_id) REFERENCES messages (id, tenant_id)
        );
        CREATE INDEX album_parts_tenant ON album_parts (tenant_id)
        """

    /// JSON; such an item has an empty link.
    private static let items = "ALTER TABLE items ADD COLUMN media TEXT"
}
