/// What the page behind a link had to say, and the way to the pin that was made of it before.
enum Schema2 {
    static let statements = [
        // JSON: every picture that the page offered.
        "ALTER TABLE items ADD COLUMN candidates TEXT",
        // What the sender should know once the item is pinned.
        "ALTER TABLE items ADD COLUMN note TEXT",
        "CREATE INDEX items_page ON items (tenant_id, link) WHERE link IS NOT NULL AND link_is_image = 0",
    ]
}
