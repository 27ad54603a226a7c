public import FoundationEssentials
public import PinpostCore

/// A message in a list.
public struct MessageLine: Codable, Sendable {
    public var id: String
    public var tenant: String
    public var source: Source
    public var state: Message.State
    @Nullable public var reason: String?
    public var received: Date
    public var pinned: Int
    /// Items under way.
    public var waiting: Int
    public var parked: Int

    init(_ message: MessageOverview, of tenant: String) {
        id = message.id.rawValue
        self.tenant = tenant
        source = message.source
        state = message.state
        reason = message.reason
        received = message.receivedAt
        func count(_ states: Item.State...) -> Int { states.reduce(0) { $0 + (message.items[$1] ?? 0) } }
        pinned = count(.done)
        waiting = count(.ready, .running)
        parked = count(.parked)
    }
}

/// An item with everything that explains where it stands.
public struct ItemReport: Codable, Sendable {
    public struct PinLink: Codable, Sendable {
        public var id: Int64
        public var url: String
    }

    public var id: String
    public var tenant: String
    public var message: String
    /// `image` or `link`.
    public var kind: String
    /// The picture's file name, or the link.
    @Nullable public var name: String?
    public var state: Item.State
    public var step: Item.Step
    public var attempt: Int
    @Nullable public var reason: String?
    @Nullable public var pin: PinLink?
    public var queued: Date

    init(_ item: Item, of tenant: Tenant, on server: Server?) {
        id = item.id.rawValue
        self.tenant = tenant.slug
        message = item.message.rawValue
        switch item.kind {
        case .image(_, let name): (kind, self.name) = ("image", name)
        case .link(let link):
            (kind, self.name) = ("link", SignedLink.shown(link.url) ?? DefaultDescription.ofLink(link.url))
        case .media(let media): (kind, self.name) = ("image", media.name)
        }
        state = item.state
        step = item.step
        attempt = item.attempt
        reason = item.reason
        pin = item.facts.pin.flatMap { id in server.map { PinLink(id: id.rawValue, url: $0.page(of: id)) } }
        queued = item.queuedAt
    }
}

/// The master keys and what they hold.
public struct KeysReport: Codable, Sendable {
    public struct Key: Codable, Sendable {
        public var id: String
        /// New secrets are sealed with it.
        public var isCurrent: Bool
        /// Whether the key ring has it.
        public var isPresent: Bool
        /// Sealed records that only this key opens.
        public var records: Int

        enum CodingKeys: String, CodingKey {
            case id
            case isCurrent = "current"
            case isPresent = "present"
            case records
        }
    }

    public var keys: [Key]
}
