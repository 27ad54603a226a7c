internal import FoundationEssentials
internal import PinpostCore

extension Message {
    static let columns = """
        id, tenant_id, address_id, hook_id, source, body, body_blob, body_count, body_sha256, envelope, state, reason, \
        skipped, received_at, undoes, early_parts
        """

    init(_ row: inout Row) throws(StoreError) {
        let (id, tenant): (Message.ID, Tenant.ID) = (row.id(), row.id())
        let address: Address.ID? = row.optional { $0.id() }
        let hook: Hook.ID? = row.optional { $0.id() }
        let source: Source = try row.choice()
        let body = row.storedBytes()
        var envelope: Envelope = try row.recurringJSON()
        let state = try Self.state(row.text())
        let reason = row.optional { $0.text() }
        let skipped: [SkippedPart] = try row.recurringJSON()
        let receivedAt = row.date()
        if let undone: Message.ID = row.optional({ $0.id() }) { envelope.undo?.message = undone }
        let early = row.optional { $0.blob() } ?? []
        self.init(
            id: id, tenant: tenant, route: address.map { .address($0) } ?? hook.map { .hook($0) } ?? .command,
            source: source, body: body.isThere ? body.bytes : nil, envelope: envelope,
            state: state, reason: reason, skipped: skipped, receivedAt: receivedAt)
        earlyParts = Self.names(early)
    }

    /// Of 32 bytes each.
    private static func names(_ bytes: [UInt8]) -> Set<[UInt8]> {
        Set(stride(from: 0, to: bytes.count, by: 32).map { Array(bytes[$0..<min($0 + 32, bytes.count)]) })
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
