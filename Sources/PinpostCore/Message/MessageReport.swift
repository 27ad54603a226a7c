/// What became of a message: the shape that the status API and `message show` print.
///
/// Absent values are written as `null`, so that the shape never changes.
public struct MessageReport: Codable, Sendable {
    public let id: Message.ID
    public let state: Message.State
    /// Why it is parked, or what the sender should know.
    public let reason: String?
    public let items: [ItemLine]
    public let skipped: [Skipped]
    /// Where its pins are taken back; nil, and absent, where there is nothing to take back or it is too late.
    public var undoURL: String?

    public struct ItemLine: Codable, Sendable {
        public let id: Item.ID
        /// `image` or `link`.
        public let kind: String
        public let state: Item.State
        public let step: Item.Step
        public let reason: String?
        public let pin: PinLink?
    }

    public struct PinLink: Codable, Sendable {
        public let id: PinID
        /// The page that shows the pin.
        public let url: String
        /// A small copy of the picture; nil, and absent, where none is known.
        public let thumbnail: String?
    }

    /// A link has a `url`, anything else a `name`.
    public struct Skipped: Codable, Sendable {
        public let kind: SkippedPart.Kind
        public let name: String?
        public let url: String?
        public let type: String?
        public let bytes: Int?
        public let reason: String

        public init(_ part: SkippedPart) {
            kind = part.kind
            name = part.kind == .link ? nil : part.name
            url = part.kind == .link ? part.name : nil
            type = part.type
            bytes = part.bytes
            reason = part.reason
        }

        private enum CodingKeys: String, CodingKey {
            case kind, name, url, type, bytes, reason
        }

        /// A link has a URL, everything else a name; what is not known is null rather than absent.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kind, forKey: .kind)
            if kind == .link {
                try container.encode(url, forKey: .url)
            } else {
                try container.encode(name, forKey: .name)
            }
            try container.encode(type, forKey: .type)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(reason, forKey: .reason)
        }
    }

    /// Makes the report; without the tenant's server the pins have no address.
    public init(_ message: Message, _ items: [Item], on server: Server?) {
        id = message.id
        state = message.state
        reason = message.reason ?? Self.trouble(items)
        self.items = items.map { ItemLine($0, on: server) }
        skipped = message.skipped.map(Skipped.init)
    }

    /// A message is done when nothing of it is on its way any more; that is not always what was hoped for.
    private static func trouble(_ items: [Item]) -> String? {
        let stopped = items.filter { $0.state == .parked || $0.state == .cancelled }
        guard let first = stopped.first else { return nil }
        let count = items.count == 1 ? "It is" : "\(stopped.count) of \(items.count) are"
        return "\(count) not pinned: \(first.reason ?? first.state.rawValue)"
    }

    /// Whether nothing will change by itself any more.
    public var isFinal: Bool { state == .done || state == .parked }
}

extension MessageReport.ItemLine {
    init(_ item: Item, on server: Server?) {
        id = item.id
        kind =
            switch item.kind {
            case .image, .media: "image"
            case .link: "link"
            }
        state = item.state
        step = item.step
        reason = item.reason
        pin = item.facts.pin.flatMap { pin in
            server.map { server in
                MessageReport.PinLink(
                    id: pin, url: server.page(of: pin), thumbnail: item.facts.thumbnail.map { server.baseURL + $0 })
            }
        }
    }
}

extension MessageReport {
    private enum CodingKeys: String, CodingKey {
        case id, state, reason, items, skipped
        case undoURL = "undo_url"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(state, forKey: .state)
        try container.encode(reason, forKey: .reason)
        try container.encode(items, forKey: .items)
        try container.encode(skipped, forKey: .skipped)
        try container.encodeIfPresent(undoURL, forKey: .undoURL)
    }
}

extension MessageReport.ItemLine {
    private enum CodingKeys: String, CodingKey { case id, kind, state, step, reason, pin }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind, forKey: .kind)
        try container.encode(state, forKey: .state)
        try container.encode(step, forKey: .step)
        try container.encode(reason, forKey: .reason)
        try container.encode(pin, forKey: .pin)
    }
}
