/// A pin as it is sent.
public struct Pin: Sendable, Hashable {
    public var description: String
    public var source: String?
    public var tags: [String]
    public var isPrivate: Bool

    public init(description: String, source: String?, tags: [String], isPrivate: Bool) {
        self.description = description
        self.source = source
        self.tags = tags
        self.isPrivate = isPrivate
    }
}

/// A pin as Pinry lists it.
public struct RemotePin: Sendable, Hashable {
    public let id: PinID
    public let image: ImageID?
    public let description: String
    public let source: String?
    public let tags: [String]
    public let isPrivate: Bool
    public let username: String

    public init(
        id: PinID, image: ImageID?, description: String, source: String?, tags: [String], isPrivate: Bool,
        username: String
    ) {
        self.id = id
        self.image = image
        self.description = description
        self.source = source
        self.tags = tags
        self.isPrivate = isPrivate
        self.username = username
    }
}
