internal import FoundationEssentials
internal import PinpostCore

extension Tenant {
    static let columns = """
        tenants.id, slug, server_id, username, board, stopped_reason, preferences, tenants.created_at, token_id IS NULL, \
        \(SealedSecret.columns)
        """
    static let tables =
        "tenants LEFT JOIN credentials ON credentials.tenant_id = tenants.id AND credentials.id = tenants.token_id"

    init(_ row: inout Row) throws(StoreError) {
        let (id, slug, server): (Tenant.ID, String, Server.ID) = (row.id(), row.text(), row.id())
        let username = row.optional { $0.text() }
        let board = row.optional { $0.text() }
        let stopped = row.optional { $0.text() }
        let preferences: Preferences = try row.json()
        let createdAt = row.date()
        let hasToken = !row.flag()
        self.init(
            id: id, slug: slug, server: server, username: username, token: hasToken ? try SealedSecret(&row) : nil,
            board: try board.decoded(), status: stopped.map { .stopped(reason: $0) } ?? .active,
            preferences: preferences, createdAt: createdAt)
    }

    var stoppedReason: String? {
        if case .stopped(let reason) = status { reason } else { nil }
    }
}

extension String? {
    func decoded<Value: Decodable>() throws(StoreError) -> Value? {
        guard let text = self else { return nil }
        return try JSONColumn.decode(text)
    }
}

extension Optional where Wrapped: Encodable {
    func encoded() throws(StoreError) -> String? {
        guard let value = self else { return nil }
        return try JSONColumn.encode(value)
    }
}
