/// Which pin an item replaces: its page stays known as pinned whatever becomes of the replacement.
enum Schema12 {
    /// NULL where another picture was never chosen, and where the number may be another server's.
    ///
    /// A draft kept that number when its tenant moved, while the pin's own went. A page is rather pinned once more than
    /// not at all.
    static let statements = [
        "ALTER TABLE items ADD COLUMN replaced_pin INTEGER",
        """
        UPDATE items SET replaced_pin = CAST(json_extract(draft, '$.replacement.pin') AS INTEGER)
        WHERE json_extract(draft, '$.replacement.pin') IS NOT NULL
            AND (pin_id IS NOT NULL OR state IN ('ready', 'running', 'parked'))
        """,
    ]
}
