public import FoundationEssentials
import PinpostCore

/// A hook just made; its token is shown only here.
public struct HookSecret: Codable, Sendable {
    public var id: String
    public var url: String
    public var token: String
}

/// A hook in a list, without its secret.
public struct EntranceReport: Codable, Sendable {
    public var id: String
    public var url: String?
    /// `generic` or a provider's name.
    public var provider: String?
    @Nullable public var board: String?
    public var tags: [String]
    public var isPrivate: Bool
    public var label: String
    public var created: Date

    enum CodingKeys: String, CodingKey {
        case id, url, provider, board, tags
        case isPrivate = "private"
        case label, created
    }

    init(_ hook: Hook, url: String) {
        self.init(id: hook.id.rawValue, hook.defaults, created: hook.createdAt)
        self.url = url
        provider = hook.provider
    }

    private init(id: String, _ defaults: EntranceDefaults, created: Date) {
        self.id = id
        self.board = defaults.board?.name
        self.tags = defaults.tags
        self.isPrivate = defaults.isPrivate
        self.label = defaults.label
        self.created = created
    }
}

/// What was removed, or would be.
public struct Removal: Codable, Sendable {
    public var id: String
    /// Nothing was removed.
    public var rehearsal: Bool

    enum CodingKeys: String, CodingKey {
        case id
        case rehearsal = "dry_run"
    }
}
