internal import FoundationEssentials
internal import PinpostCore

extension Message {
    static let columns = """
        id, tenant_id, address_id, hook_id, source, body, body_blob, body_count, body_sha256, envelope, state, reason, \
        skipped, received_at
        """

    init(_ row: inout Row) throws(StoreError) {
        let (id, tenant): (Message.ID, Tenant.ID) = (row.id(), row.id())
        let address: Address.ID? = row.optional { $0.id() }
        let hook: Hook.ID? = row.optional { $0.id() }
        let source: Source = try row.choice()
        let body = row.storedBytes()
        let envelope: Envelope = try row.json()
        let state = row.text()
        self.init(
            id: id, tenant: tenant, route: address.map { .address($0) } ?? hook.map { .hook($0) } ?? .command,
            source: source, body: body.isThere ? body.bytes : nil, envelope: envelope,
            state: try Self.state(state), reason: row.optional { $0.text() }, skipped: try row.json(),
            receivedAt: row.date())
    }

    static func state(_ word: String) throws(StoreError) -> State {
        if word == "reading" { return .accepted }
        guard let state = State(rawValue: word) else { throw StoreError(.corrupt, "unknown state of a message") }
        return state
    }
}

extension Route {
    var address: Address.ID? {
        if case .address(let id) = self { id } else { nil }
    }

    var hook: Hook.ID? {
        if case .hook(let id) = self { id } else { nil }
    }

    /// Equal delivery keys count as one delivery on one route only.
    var key: String { address?.rawValue ?? hook?.rawValue ?? "command" }
}
