public import FoundationEssentials

/// What an address or a hook adds to everything that comes in through it.
public struct EntranceDefaults: Sendable, Hashable, Codable {
    public var board: Board?
    public var tags: [String]
    public var isPrivate: Bool
    /// For the admin's eyes; at most 100 characters.
    public var label: String

    public init(board: Board? = nil, tags: [String] = [], isPrivate: Bool = false, label: String = "") {
        self.board = board
        self.tags = tags
        self.isPrivate = isPrivate
        self.label = label
    }
}

/// A secret mail address of a tenant.
public struct Address: Sendable, Hashable {
    public typealias ID = Identifier<Address>

    public let id: ID
    public let tenant: Tenant.ID
    /// SHA-256 of the lower-case token: how a recipient is looked up.
    public var tokenHash: [UInt8]
    /// The token itself, so that the tenant can see his own address again.
    public var token: SealedSecret
    /// The token before the last rotation, while it still lives.
    public var former: FormerToken?
    public var defaults: EntranceDefaults
    public var policy: SenderPolicy
    public var expiresAt: Date?
    public let createdAt: Date

    public struct FormerToken: Sendable, Hashable {
        public let hash: [UInt8]
        public let livesUntil: Date

        public init(hash: [UInt8], livesUntil: Date) { (self.hash, self.livesUntil) = (hash, livesUntil) }
    }

    public init(
        id: ID, tenant: Tenant.ID, tokenHash: [UInt8], token: SealedSecret, former: FormerToken? = nil,
        defaults: EntranceDefaults, policy: SenderPolicy = SenderPolicy(), expiresAt: Date? = nil, createdAt: Date
    ) {
        self.id = id
        self.tenant = tenant
        self.tokenHash = tokenHash
        self.token = token
        self.former = former
        self.defaults = defaults
        self.policy = policy
        self.expiresAt = expiresAt
        self.createdAt = createdAt
    }

    /// Whether mail with this token still comes in.
    public func isLive(through hash: [UInt8], now: Date) -> Bool {
        guard isLive(now: now) else { return false }
        return hash == tokenHash || former.map { $0.hash == hash && $0.livesUntil > now } ?? false
    }

    public func isLive(now: Date) -> Bool { expiresAt.map { $0 > now } ?? true }
}

/// A webhook end point of a tenant.
public struct Hook: Sendable, Hashable {
    public typealias ID = Identifier<Hook>

    public let id: ID
    public let tenant: Tenant.ID
    /// The provider of hooks whose payloads have our own form.
    public static let generic = "generic"

    /// `generic`, or the name of a provider.
    public let provider: String
    /// The newest last; a second one lives beside it while the token is rotated.
    public var tokens: [Token]
    public var defaults: EntranceDefaults
    public let createdAt: Date
    public var settings: HookSettings
    /// What signs the provider's requests.
    public var secret: SealedSecret?
    /// What opens the provider's API.
    public var token: SealedSecret?

    public init(
        id: ID, tenant: Tenant.ID, provider: String = Hook.generic, tokenHashes: [[UInt8]], defaults: EntranceDefaults,
        createdAt: Date, settings: HookSettings = HookSettings(), secret: SealedSecret? = nil,
        token: SealedSecret? = nil
    ) {
        self.settings = settings
        self.secret = secret
        self.token = token
        self.id = id
        self.tenant = tenant
        self.provider = provider
        tokens = tokenHashes.map { Token(hash: $0) }
        self.defaults = defaults
        self.createdAt = createdAt
    }
}

extension Hook {
    /// What opens a hook, as the store knows it.
    public struct Token: Sendable, Hashable {
        /// SHA-256 of the text.
        public let hash: [UInt8]
        public var limits: TokenLimits

        public init(hash: [UInt8], limits: TokenLimits = TokenLimits()) { (self.hash, self.limits) = (hash, limits) }
    }

    public var tokenHashes: [[UInt8]] { tokens.map(\.hash) }

    /// The hashes of those tokens that open it at that time; none once the hook itself has expired.
    public func tokenHashes(at now: Date) -> [[UInt8]] {
        settings.isCurrent(at: now) ? tokens.filter { $0.limits.isCurrent(at: now) }.map(\.hash) : []
    }

    /// The hashes of those tokens that are good for that at that time.
    public func tokenHashes(for scope: HookScope, at now: Date) -> [[UInt8]] {
        guard settings.permits(scope, at: now) else { return [] }
        return tokens.filter { $0.limits.permits(scope, at: now) }.map(\.hash)
    }
}
