import PinpostCore

/// A board of the tenant.
public struct BoardReport: Codable, Sendable {
    public var id: Int64
    public var name: String
    public var isPrivate: Bool
    /// Pins that name no board go there.
    public var isDefault: Bool

    enum CodingKeys: String, CodingKey {
        case id, name
        case isPrivate = "private"
        case isDefault = "default"
    }

    init(_ board: Board, isDefault: Bool) {
        id = board.id.rawValue
        name = board.name
        isPrivate = board.isPrivate
        self.isDefault = isDefault
    }
}

/// A pin as Pinry has it.
public struct PinReport: Codable, Sendable {
    public var id: Int64
    public var url: String
    public var description: String
    @Nullable public var source: String?
    public var tags: [String]
    public var isPrivate: Bool
    public var username: String

    enum CodingKeys: String, CodingKey {
        case id, url, description, source, tags
        case isPrivate = "private"
        case username
    }

    init(_ pin: RemotePin, on server: Server) {
        id = pin.id.rawValue
        url = server.page(of: pin.id)
        description = pin.description
        source = pin.source
        tags = pin.tags
        isPrivate = pin.isPrivate
        username = pin.username
    }
}
