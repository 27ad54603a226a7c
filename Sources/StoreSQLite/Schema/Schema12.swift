/// Which pin an item replaces: its page stays known as pinned whatever becomes of the replacement.
enum Schema12 {
    /// NULL where another picture was never chosen.
    static let statements = [
        "ALTER TABLE items ADD COLUMN replaced_pin INTEGER",
        """
        UPDATE items SET replaced_pin = CAST(json_extract(draft, '$.replacement.pin') AS INTEGER)
        WHERE json_extract(draft, '$.replacement.pin') IS NOT NULL
        """,
    ]
}
