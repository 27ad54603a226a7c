/// Whose message it was, for an Undo that names none, and the albums that are read already, for parts that come late.
enum Schema10 {
    static let statements = [
        """
        -- SHA-256 of person and chat; NULL where nobody can say.
        ALTER TABLE messages ADD COLUMN author BLOB;
        CREATE INDEX messages_author ON messages (tenant_id, route, author, arrival) WHERE author IS NOT NULL;
        CREATE INDEX messages_album_history ON messages (tenant_id, route, album_key, arrival)
            WHERE album_key IS NOT NULL
        """
    ]
}
