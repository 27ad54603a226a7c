/// Numbers that Pinry gives; 63 bits, always positive.
public struct PinID: Hashable, Sendable, Comparable, Codable {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    public init(from decoder: any Decoder) throws { rawValue = try Int64(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The key of idempotency: a pin on our image id exists exactly when our request was committed.
public struct ImageID: Hashable, Sendable, Codable {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    public init(from decoder: any Decoder) throws { rawValue = try Int64(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

public struct BoardID: Hashable, Sendable, Codable {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    public init(from decoder: any Decoder) throws { rawValue = try Int64(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

/// One of a tenant's own boards.
public struct Board: Hashable, Sendable, Codable {
    public let id: BoardID
    public let name: String
    public let isPrivate: Bool

    public init(id: BoardID, name: String, isPrivate: Bool) {
        self.id = id
        self.name = name
        self.isPrivate = isPrivate
    }
}
