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
    public var url: String
    /// `generic` or a provider's name.
    public var provider: String
    @Nullable public var board: String?
    public var tags: [String]
    public var isPrivate: Bool
    public var label: String
    public var created: Date
    @Nullable public var expires: Date?
    /// What its tokens open.
    public var scopes: [String]
    @Nullable public var lastUsed: Date?

    enum CodingKeys: String, CodingKey {
        case id, url, provider, board, tags
        case isPrivate = "private"
        case label, created, expires, scopes
        case lastUsed = "last_used"
    }

    init(_ hook: Hook, url: String, lastUsed: Date?) {
        id = hook.id.rawValue
        self.url = url
        provider = hook.provider
        board = hook.defaults.board?.name
        tags = hook.defaults.tags
        isPrivate = hook.defaults.isPrivate
        label = hook.defaults.label
        created = hook.createdAt
        expires = hook.settings.expiresAt
        scopes = HookScope.names(hook.settings.scopes)
        self.lastUsed = lastUsed
    }
}

/// A hook with everything but its secrets.
public struct HookReport: Codable, Sendable {
    public var id: String
    public var url: String
    public var provider: String
    @Nullable public var board: String?
    public var tags: [String]
    public var isPrivate: Bool
    public var label: String
    public var created: Date
    @Nullable public var apiBase: String?
    public var allowed: [String]
    public var options: [String: String]
    public var hasSecret: Bool
    public var hasToken: Bool
    /// Of our own that are good at the moment.
    public var liveTokens: Int
    /// Each of them, the newest last.
    public var tokens: [TokenReport]
    /// Where the fields of a payload stand, as JSON.
    @Nullable public var mapping: String?
    @Nullable public var expires: Date?
    /// What its tokens open.
    public var scopes: [String]
    @Nullable public var lastUsed: Date?

    enum CodingKeys: String, CodingKey {
        case id, url, provider, board, tags
        case isPrivate = "private"
        case label, created
        case apiBase = "api_base"
        case allowed, options
        case hasSecret = "has_secret"
        case hasToken = "has_token"
        case liveTokens = "live_tokens"
        case tokens, mapping, expires, scopes
        case lastUsed = "last_used"
    }

    init(_ hook: Hook, url: String, now: Date) {
        id = hook.id.rawValue
        self.url = url
        provider = hook.provider
        board = hook.defaults.board?.name
        tags = hook.defaults.tags
        isPrivate = hook.defaults.isPrivate
        label = hook.defaults.label
        created = hook.createdAt
        apiBase = hook.settings.apiBase
        allowed = hook.settings.allowed
        options = hook.settings.options
        hasSecret = hook.secret != nil
        hasToken = hook.token != nil
        liveTokens = hook.tokenHashes(at: now).count
        tokens = hook.tokens.filter { $0.limits.isCurrent(at: now) }.map { TokenReport($0.limits) }
        mapping = hook.settings.mapping
        expires = hook.settings.expiresAt
        scopes = HookScope.names(hook.settings.scopes)
    }
}

/// What one token of a hook is good for, within what the hook allows.
public struct TokenReport: Codable, Sendable {
    @Nullable public var expires: Date?
    public var scopes: [String]

    init(_ limits: TokenLimits) {
        expires = limits.end
        scopes = HookScope.names(limits.scopes)
    }
}

extension HookScope {
    /// nil: all.
    fileprivate static func names(_ scopes: Set<HookScope>?) -> [String] {
        (scopes ?? Set(allCases)).map(\.rawValue).sorted()
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
