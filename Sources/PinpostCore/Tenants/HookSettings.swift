public import FoundationEssentials

/// What a token of a hook opens.
public enum HookScope: String, Sendable, Codable, CaseIterable {
    /// Sending pictures and links.
    case send
    /// Reading what became of them.
    case status
}

/// What one token of a hook is good for, beside what holds for all of them.
public struct TokenLimits: Sendable, Hashable, Codable {
    /// From then on it is refused like a wrong one.
    public var expiresAt: Date?
    /// What it opens; nil: everything.
    public var scopes: Set<HookScope>?
    /// Set once a newer token took its place: how long it was promised to live on beside that.
    public var keptUntil: Date?

    public init(expiresAt: Date? = nil, scopes: Set<HookScope>? = nil, keptUntil: Date? = nil) {
        (self.expiresAt, self.scopes, self.keptUntil) = (expiresAt, scopes, keptUntil)
    }

    /// When it stops opening anything; nil: not by itself.
    public var end: Date? { [expiresAt, keptUntil].compactMap(\.self).min() }

    public func permits(_ scope: HookScope, at now: Date) -> Bool {
        isCurrent(at: now) && scopes?.contains(scope) ?? true
    }

    public func isCurrent(at now: Date) -> Bool { end.map { now < $0 } ?? true }
}

/// What a hook is told beside its secrets.
public struct HookSettings: Sendable, Hashable, Codable {
    /// Where the provider's API is, when not at its usual place; without a slash at the end.
    public var apiBase: String?
    /// The chats, channels, people or addresses that may pin; empty where the provider's proof is enough.
    public var allowed: [String]
    /// What only one provider asks for, by its names.
    public var options: [String: String]
    /// Where the fields of a generic payload stand, as JSON; nil where they have our own names.
    public var mapping: String?
    /// From then on its tokens are refused like wrong ones.
    public var expiresAt: Date?
    /// What its tokens open; nil: everything.
    public var scopes: Set<HookScope>?

    public init(
        apiBase: String? = nil, allowed: [String] = [], options: [String: String] = [:], mapping: String? = nil,
        expiresAt: Date? = nil, scopes: Set<HookScope>? = nil
    ) {
        self.apiBase = apiBase
        self.allowed = allowed
        self.options = options
        self.mapping = mapping
        self.expiresAt = expiresAt
        self.scopes = scopes
    }

    /// Whether a right token is good for that at the moment, as far as all of them are.
    public func permits(_ scope: HookScope, at now: Date) -> Bool { limits.permits(scope, at: now) }
    public func isCurrent(at now: Date) -> Bool { limits.isCurrent(at: now) }

    private var limits: TokenLimits { TokenLimits(expiresAt: expiresAt, scopes: scopes) }
}
