internal import PinpostCore

extension Row {
    /// The four columns of a left join; nil where there is none.
    mutating func sealedSecret() throws(StoreError) -> SealedSecret? {
        let id: Identifier<SealedSecret>? = optional { $0.id() }
        let purpose = optional { $0.text() }
        let (keyID, box) = (text(), blob())
        guard let id, let purpose else { return nil }
        guard let purpose = SealedSecret.Purpose(rawValue: purpose) else {
            throw StoreError(.corrupt, "unknown purpose of a secret")
        }
        return SealedSecret(id: id, purpose: purpose, keyID: keyID, box: box)
    }
}

extension SealedSecret {
    /// For a left join on `credentials`.
    static let columns = "credentials.id, credentials.purpose, credentials.key_id, credentials.box"

    init(_ row: inout Row) throws(StoreError) {
        self.init(id: row.id(), purpose: try row.choice(), keyID: row.text(), box: row.blob())
    }

    func insert(for tenant: Tenant.ID, on connection: Connection) throws(StoreError) {
        try connection.run(
            "INSERT INTO credentials (id, tenant_id, purpose, key_id, box) VALUES (?, ?, ?, ?, ?)",
            id, tenant, purpose.rawValue, keyID, box)
    }

    static func remove(
        _ id: Identifier<SealedSecret>, of tenant: Tenant.ID, on connection: Connection
    ) throws(StoreError) {
        try connection.run("DELETE FROM credentials WHERE tenant_id = ? AND id = ?", tenant, id)
    }
}
