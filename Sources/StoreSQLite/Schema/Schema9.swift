/// Answers to one place do not wait for those to another.
enum Schema9 {
    static let statements = [
        // The mail server's or a provider host's name; what is owed already waits with its provider's.
        "ALTER TABLE replies ADD COLUMN lane TEXT NOT NULL DEFAULT 'mail'",
        // SHA-256 of the route and the chat or sender; NULL stands for itself.
        "ALTER TABLE replies ADD COLUMN conversation BLOB",
        """
        UPDATE replies SET lane = (
            SELECT hooks.provider FROM messages JOIN hooks ON hooks.id = messages.hook_id
            WHERE messages.id = replies.message_id)
        WHERE settled_at IS NULL
            AND EXISTS (
                SELECT 1 FROM messages JOIN hooks ON hooks.id = messages.hook_id
                WHERE messages.id = replies.message_id)
        """,
        "CREATE INDEX replies_lane ON replies (lane, due_at) WHERE settled_at IS NULL",
        "CREATE INDEX replies_conversation ON replies (conversation) WHERE settled_at IS NULL AND attempt > 0",
    ]
}
