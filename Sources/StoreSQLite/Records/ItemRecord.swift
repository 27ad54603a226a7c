internal import FoundationEssentials
internal import PinpostCore

extension Item {
    static let columns = columns(original: "original", prepared: "prepared")
    /// For lists: what was stored in the row itself counts as gone.
    static let columnsWithoutBytes = columns(original: "NULL", prepared: "NULL")

    private static func columns(original: String, prepared: String) -> String {
        """
        items.id, items.tenant_id, tenants.server_id, items.message_id, items.sequence, link, link_is_image, media, name, \
        \(original), original_blob, original_count, original_sha256, draft, step, items.state, attempt, \
        ambiguous_until, \(prepared), prepared_blob, prepared_count, prepared_sha256, prepared_type, image_id, \
        pin_floor, pin_id, board_id, thumbnail, items.reason, queued_at
        """
    }

    static let tables = "items JOIN tenants ON tenants.id = items.tenant_id"

    init(_ row: inout Row) throws(StoreError) {
        let (id, tenant): (Item.ID, Tenant.ID) = (row.id(), row.id())
        let (server, message): (Server.ID, Message.ID) = (row.id(), row.id())
        let sequence = row.int()
        let kind = try row.itemKind()
        let draft: PinDraft = try row.json()
        let (step, state): (Step, State) = (try row.choice(), try row.choice())
        let attempt = row.int()
        let ambiguousUntil = row.optional { $0.date() }
        let facts = try row.itemFacts()
        self.init(
            id: id, tenant: tenant, server: server, message: message, sequence: sequence, kind: kind, draft: draft,
            step: step, state: state, attempt: attempt, ambiguousUntil: ambiguousUntil, facts: facts,
            reason: row.optional { $0.text() }, queuedAt: row.date())
    }
}

extension Row {
    fileprivate mutating func itemKind() throws(StoreError) -> Item.Kind {
        let link = optional { $0.text() }
        let isImage = flag()
        let media = optional { $0.text() }
        let name = optional { $0.text() }
        let original = storedBytes().bytes
        if let media { return .media(try JSONColumn.decode(media)) }
        if let link { return .link(FoundLink(url: link, isImage: isImage)) }
        return .image(original, name: name)
    }

    fileprivate mutating func itemFacts() throws(StoreError) -> Item.Facts {
        let prepared = storedBytes()
        let type = optional { $0.text() }
        var facts = Item.Facts()
        if let type, prepared.isThere {
            guard let type = PictureType(rawValue: type) else { throw StoreError(.corrupt, "unknown type of picture") }
            facts.picture = PreparedPicture(bytes: prepared.bytes, type: type)
        }
        facts.image = optional { ImageID($0.integer()) }
        facts.pinFloor = optional { PinID($0.integer()) }
        facts.pin = optional { PinID($0.integer()) }
        facts.board = optional { BoardID($0.integer()) }
        facts.thumbnail = optional { $0.text() }
        return facts
    }
}

extension Item.Step {
    var lane: Lane { self == .prepare ? .prepare : .deliver }
    /// The board step comes after the other steps of its message.
    var isLate: Bool { self == .board }
}

extension Lane: SQLConvertible {
    var sqlValue: SQLValue {
        switch self {
        case .prepare: 0.sqlValue
        case .deliver: 1.sqlValue
        }
    }
}
