public import FoundationEssentials
public import PinpostCore

/// A mail address of a tenant.
public struct AddressReport: Codable, Sendable {
    public var id: String
    /// The whole address, which lets whoever knows it pin; absent in lists.
    public var address: String?
    @Nullable public var board: String?
    public var tags: [String]
    public var isPrivate: Bool
    public var label: String
    public var mode: SenderPolicy.Mode
    public var senders: [String]
    public var created: Date
    @Nullable public var expires: Date?
    /// Until when the address before the last rotation lives; absent where there is none.
    public var formerUntil: Date?
    /// What keeps mail to it from becoming pins; absent in lists.
    public var warnings: [String]?

    enum CodingKeys: String, CodingKey {
        case id, address, board, tags
        case isPrivate = "private"
        case label, mode
        case senders = "from"
        case created, expires
        case formerUntil = "former_until"
        case warnings
    }

    init(_ address: Address, now: Date) {
        id = address.id.rawValue
        board = address.defaults.board?.name
        tags = address.defaults.tags
        isPrivate = address.defaults.isPrivate
        label = address.defaults.label
        mode = address.policy.mode
        senders = address.policy.senders.map(\.description)
        created = address.createdAt
        expires = address.expiresAt
        formerUntil = address.former.flatMap { $0.livesUntil > now ? $0.livesUntil : nil }
    }
}
