internal import FoundationEssentials
internal import PinpostCore

extension HeldMail {
    static let columns = """
        id, cause, reason, message_id, tenant_id, envelope, body, body_blob, body_count, body_sha256, held_at, expires_at
        """

    init(_ row: inout Row) throws(StoreError) {
        self.init(
            id: row.id(), cause: try row.choice(), reason: row.text(), message: row.optional { $0.id() },
            tenant: row.optional { $0.id() }, envelope: try row.json(), body: row.storedBytes().bytes,
            heldAt: row.date(), expiresAt: row.date())
    }
}
