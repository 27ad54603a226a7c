/// When a webhook was last used, so that a forgotten one is found.
enum Schema7 {
    /// To the minute: not every request is a write.
    static let statements = ["ALTER TABLE hooks ADD COLUMN last_used_at INTEGER"]
}
