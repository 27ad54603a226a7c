internal import Cryptography
public import FoundationEssentials
public import PinpostCore

/// What `hook add` is told.
public struct NewHook: Sendable {
    public var entrance: NewEntrance
    public var provider: String
    public var settings: HookSettings
    public var secret: Secret?
    public var token: Secret?
    /// The secret is made here, because the provider is told it.
    public var makesSecret: Bool

    public init(
        _ entrance: NewEntrance, provider: String = Hook.generic, settings: HookSettings = HookSettings(),
        secret: Secret? = nil, token: Secret? = nil, makesSecret: Bool = false
    ) {
        self.entrance = entrance
        self.provider = provider
        self.settings = settings
        self.secret = secret
        self.token = token
        self.makesSecret = makesSecret
    }
}

/// What `hook set` changes; nil leaves a thing as it is.
public struct HookChanges: Sendable {
    public var board: BoardChoice?
    /// Pins go where the tenant's own do.
    public var forgetsBoard = false
    public var tags: [String]?
    public var isPrivate: Bool?
    public var label: String?
    public var settings: HookSettings?
    public var secret: Secret?
    public var token: Secret?

    public init() {}
}

/// Hooks of named providers, and changes of any.
extension TenantAdministration {
    private static let mostAllowed = 500
    private static let longestSetting = 2_000

    /// Makes a hook; its token is in the result and nowhere else.
    public func addHook(_ new: NewHook) async throws(AdministrationError) -> (hook: Hook, secret: HookSecret) {
        let tenant = try await tenant(named: new.entrance.tenant)
        let defaults = try await defaults(of: new.entrance, for: tenant)
        try Self.check(new.settings)
        var random = SystemRandom()
        let token = HookToken.random(using: &random)
        let secret = new.makesSecret ? Self.makeSecret(using: &random) : new.secret
        let hook = Hook(
            id: .random(using: &random), tenant: tenant.id, provider: new.provider, tokenHashes: [token.hash],
            defaults: defaults, createdAt: now(), settings: new.settings,
            secret: try sealed(secret, .hookSecret, of: tenant.id),
            token: try sealed(new.token, .hookToken, of: tenant.id))
        try await AdministrationError.translated { try await store.add(hook) }
        return (hook, HookSecret(id: hook.id.rawValue, url: names.url(of: hook.id), token: token.text.revealed))
    }

    /// Makes a hook for payloads of our own form.
    public func addHook(_ new: NewEntrance) async throws(AdministrationError) -> HookSecret {
        try await addHook(NewHook(new)).secret
    }

    public func hook(_ id: String, ofTenant slug: String?) async throws(AdministrationError) -> Hook {
        try await hook(id, of: try await tenant(named: slug))
    }

    func hook(_ id: String, of tenant: Tenant) async throws(AdministrationError) -> Hook {
        let found = try await AdministrationError.translated { try await store.hook(Hook.ID(id)) }
        guard let hook = found, hook.tenant == tenant.id else {
            throw .unknown("Tenant \(tenant.slug) has no hook \"\(id)\"; `pinpost hook list \(tenant.slug)` shows all.")
        }
        return hook
    }

    /// One hook by its id alone, which no other tenant's hook has.
    public func hook(_ id: String) async throws(AdministrationError) -> Hook {
        let found = try await AdministrationError.translated { try await store.hook(Hook.ID(id)) }
        guard let hook = found else {
            throw .unknown("There is no hook \"\(id)\"; `pinpost hook list SLUG` shows all of a tenant.")
        }
        return hook
    }

    /// To the minute; nil where no right token ever came.
    private func lastUse(of hook: Hook) async throws(AdministrationError) -> Date? {
        try await AdministrationError.translated { try await store.lastUses(ofHooksOf: hook.tenant) }[hook.id]
    }

    public func report(of hook: Hook) async throws(AdministrationError) -> HookReport {
        var report = HookReport(hook, url: names.url(of: hook.id), now: now())
        report.lastUsed = try await lastUse(of: hook)
        return report
    }

    public func setHook(
        _ id: String, of slug: String?, _ changes: HookChanges
    ) async throws(AdministrationError) -> Hook {
        let tenant = try await tenant(named: slug)
        var board: Board?
        if let choice = changes.board { board = try await self.board(choice, of: tenant) }
        let tags = try changes.tags.map { tags throws(AdministrationError) in try Self.tags(tags) }
        if let settings = changes.settings { try Self.check(settings) }
        let secret = try sealed(changes.secret, .hookSecret, of: tenant.id)
        let token = try sealed(changes.token, .hookToken, of: tenant.id)
        return try await change(id, of: tenant) { hook in
            if changes.forgetsBoard || board != nil { hook.defaults.board = board }
            if let tags { hook.defaults.tags = tags }
            if let isPrivate = changes.isPrivate { hook.defaults.isPrivate = isPrivate }
            if let label = changes.label { hook.defaults.label = String(label.prefix(NewEntrance.longestLabel)) }
            if let settings = changes.settings { hook.settings = settings }
            if let secret { hook.secret = secret }
            if let token { hook.token = token }
        }
    }

    private func change(
        _ id: String, of tenant: Tenant, _ apply: (inout Hook) throws(AdministrationError) -> Void
    ) async throws(AdministrationError) -> Hook {
        try await Contention.change({ () async throws(AdministrationError) in try await hook(id, of: tenant) }, apply) {
            (new, old) async throws(StoreError) in try await store.update(new, insteadOf: old)
        }
    }

    /// Gives a hook a new token; the one before stays good for `keep` seconds, or until the next rotation.
    ///
    /// Two tokens live at a time: while an older one was promised a time, only a rotation that ends both is done.
    public func rotateHook(
        _ id: String, of slug: String?, keep: TimeInterval? = nil, limits: TokenLimits = TokenLimits(),
        makesSecret: Bool
    ) async throws(AdministrationError) -> (hook: Hook, secret: HookSecret) {
        let tenant = try await tenant(named: slug)
        var random = SystemRandom()
        let token = HookToken.random(using: &random)
        let secret = makesSecret ? try sealed(Self.makeSecret(using: &random), .hookSecret, of: tenant.id) : nil
        let time = now()
        let hook = try await change(id, of: tenant) { hook throws(AdministrationError) in
            if keep ?? 1 > 0, let end = hook.tokens.dropLast().last?.promise, end > time {
                throw .refused(
                    "The token before this one still lives until \(end.formatted(.iso8601)): wait for that, or end both "
                        + "with --at-once.")
            }
            hook.tokens = Self.kept(hook.tokens, for: keep, from: time) + [Hook.Token(hash: token.hash, limits: limits)]
            if let secret { hook.secret = secret }
        }
        return (hook, HookSecret(id: id, url: names.url(of: hook.id), token: token.text.revealed))
    }

    /// The newest token, if it is to live on; its own end, where it has one, stays as it is.
    private static func kept(_ tokens: [Hook.Token], for keep: TimeInterval?, from now: Date) -> [Hook.Token] {
        guard var newest = tokens.last, keep ?? 1 > 0, newest.limits.isCurrent(at: now) else { return [] }
        newest.limits.keptUntil = keep.map { now + $0 }
        return [newest]
    }

    /// 192 random bits in letters, digits, `-` and `_`, which every provider takes.
    private static func makeSecret(using random: inout SystemRandom) -> Secret {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)
        var text = random.bytes(32).map { letters[Int($0) % letters.count] }
        return Secret(taking: &text)
    }

    /// An empty secret is refused: everybody could sign with it.
    private func sealed(
        _ secret: Secret?, _ purpose: SealedSecret.Purpose, of tenant: Tenant.ID
    ) throws(AdministrationError) -> SealedSecret? {
        guard let secret else { return nil }
        let isBlank = secret.withBytes { bytes in bytes.allSatisfy { $0 <= 0x20 } }
        guard !isBlank else { throw .badValue("The secret is empty.") }
        do throws(VaultError) { return try keeper.seal(secret, for: purpose, of: tenant) } catch { throw .vault(error) }
    }

    private static func check(_ settings: HookSettings) throws(AdministrationError) {
        if let base = settings.apiBase {
            let isURL = base.hasPrefix("https://") || base.hasPrefix("http://")
            guard isURL, !base.hasSuffix("/"), !base.contains("@"), !base.contains("?"), !base.contains("#"),
                base.utf8.count <= longestSetting
            else { throw .badValue("--api-base is http(s)://HOST[:PORT][/PATH] without a slash at the end.") }
        }
        guard settings.allowed.count <= mostAllowed, settings.options.count <= 50 else {
            throw .badValue("There may be at most \(mostAllowed) allowed chats and 50 options.")
        }
        let texts = settings.allowed + settings.options.flatMap { [$0.key, $0.value] }
        guard texts.allSatisfy({ !$0.isEmpty && $0.utf8.count <= longestSetting }) else {
            throw .badValue("What is allowed and every option has 1 to \(longestSetting) bytes.")
        }
    }
}

extension Hook.Token {
    /// Until when it may not be ended by a rotation; nil where nothing was promised.
    fileprivate var promise: Date? { limits.keptUntil.flatMap { _ in limits.end } }
}
