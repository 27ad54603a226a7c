/// How large a picture may be for a server that has refused a larger one.
enum Schema8 {
    /// In bytes; NULL where nothing was refused.
    static let statements = ["ALTER TABLE servers ADD COLUMN max_upload_bytes INTEGER"]
}
