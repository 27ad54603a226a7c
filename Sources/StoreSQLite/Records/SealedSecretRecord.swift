internal import PinpostCore

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
