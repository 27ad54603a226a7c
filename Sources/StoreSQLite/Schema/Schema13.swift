/// Answers that a crash interrupts, orders to take something back, parts of messages that came too early, thumbnails.
enum Schema13 {
    static let statements = [
        // Takings of which nobody has written down the end: such an answer was in the hands of a process that died.
        "ALTER TABLE replies ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0",
        // SHA-256 of the thread of a chat; NULL where there is none.
        "ALTER TABLE messages ADD COLUMN thread BLOB",
        // Of an Undo: the message that it takes back; NULL where there is none.
        "ALTER TABLE messages ADD COLUMN undoes TEXT",
        "CREATE INDEX messages_undoes ON messages (undoes) WHERE undoes IS NOT NULL",
        // The names of those of its parts that were read alone, before it came: 32 bytes each, one after the other.
        "ALTER TABLE messages ADD COLUMN early_parts BLOB",
        // Of the uploaded picture: a path below the server's address.
        "ALTER TABLE items ADD COLUMN thumbnail TEXT",
        // 1: a part of a message came alone under this name, and the message has not come yet.
        "ALTER TABLE delivery_names ADD COLUMN is_part INTEGER NOT NULL DEFAULT 0",
    ]
}
