/// What each token of a hook is good for.
enum Schema11 {
    /// JSON, in the order of `token_hashes`; NULL where all are good for everything.
    static let statements = ["ALTER TABLE hooks ADD COLUMN token_limits TEXT"]
}
