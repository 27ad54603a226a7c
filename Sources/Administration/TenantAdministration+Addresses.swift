internal import Cryptography
public import FoundationEssentials
public import PinpostCore

/// Who may pin through an address, and how long; what is left out stays as it is.
public struct AddressRules: Sendable, Codable {
    public var mode: SenderPolicy.Mode?
    /// `ada@example.org` or `@example.org`; they take the place of the present ones.
    public var senders: [String]?
    public var expires: Expiry?

    public init(mode: SenderPolicy.Mode? = nil, senders: [String]? = nil, expires: Expiry? = nil) {
        self.mode = mode
        self.senders = senders
        self.expires = expires
    }
}

/// What `address set` changes of an address's defaults.
public struct AddressChanges: Sendable, Codable {
    /// A board's name or number.
    public var board: Change<String> = .keep
    public var tags: [String]?
    public var isPrivate: Bool?
    public var label: String?
    public var rules = AddressRules()

    public init() {}
}

/// Addresses: the secret mail addresses of a tenant.
extension TenantAdministration {
    /// How long the old address lives after a rotation, unless it is said, in seconds.
    public static let standardKeep: TimeInterval = 7 * 86_400
    /// More addresses than anybody can tell apart.
    public static let mostAddresses = 500

    /// Makes an address; a board is looked up in the live Pinry first.
    public func addAddress(
        _ new: NewEntrance, _ rules: AddressRules = AddressRules()
    ) async throws(AdministrationError) -> AddressReport {
        let tenant = try await tenant(named: new.tenant)
        let count = try await AdministrationError.translated { try await store.addresses(of: tenant.id) }.count
        guard count < Self.mostAddresses else {
            throw .refused("Tenant \(tenant.slug) has \(count) addresses; remove one first.")
        }
        var random = SystemRandom()
        let (token, kept) = try makeToken(for: tenant)
        var address = Address(
            id: .random(using: &random), tenant: tenant.id, tokenHash: token.hash, token: kept,
            defaults: try await defaults(of: new, for: tenant), createdAt: now())
        try apply(rules, to: &address)
        try await AdministrationError.translated { [address] in try await store.add(address) }
        return try await details(of: address, tenant)
    }

    public func addresses(of slug: String?) async throws(AdministrationError) -> [AddressReport] {
        let (tenant, time) = (try await tenant(named: slug), now())
        return try await AdministrationError.translated { try await store.addresses(of: tenant.id) }
            .map { AddressReport($0, now: time) }
    }

    /// Opens the sealed copy, so that the tenant can see his own address again.
    public func showAddress(_ id: String, of slug: String?) async throws(AdministrationError) -> AddressReport {
        let tenant = try await tenant(named: slug)
        return try await details(of: address(id, of: tenant), tenant)
    }

    /// Changes what is said and leaves the rest.
    public func setAddress(
        _ id: String, of slug: String?, _ changes: AddressChanges
    ) async throws(AdministrationError) -> AddressReport {
        let tenant = try await tenant(named: slug)
        var wanted = NewEntrance(tenant: tenant.slug, tags: changes.tags ?? [], label: changes.label ?? "")
        if case .set(let board) = changes.board { wanted.board = BoardChoice(board) }
        let defaults = try await defaults(of: wanted, for: tenant)
        let address = try await change(id, of: tenant) { address throws(AdministrationError) in
            switch changes.board {
            case .keep: break
            case .set, .remove: address.defaults.board = defaults.board
            }
            if changes.tags != nil { address.defaults.tags = defaults.tags }
            if changes.label != nil { address.defaults.label = defaults.label }
            if let isPrivate = changes.isPrivate { address.defaults.isPrivate = isPrivate }
            try apply(changes.rules, to: &address)
        }
        return try await details(of: address, tenant)
    }

    private func change(
        _ id: String, of tenant: Tenant, _ apply: (inout Address) throws(AdministrationError) -> Void
    ) async throws(AdministrationError) -> Address {
        try await Contention.change(
            { () async throws(AdministrationError) in try await address(id, of: tenant) }, apply
        ) {
            (new, old) async throws(StoreError) in try await store.update(new, insteadOf: old)
        }
    }

    /// Gives the address a new token; the old one lives for `keep` seconds more, with 0 it ends at once.
    ///
    /// Two tokens live at a time: while an older one does, only a rotation that ends both is done.
    public func rotateAddress(
        _ id: String, of slug: String?, keep: TimeInterval = standardKeep
    ) async throws(AdministrationError) -> AddressReport {
        let tenant = try await tenant(named: slug)
        let ((token, kept), time) = (try makeToken(for: tenant), now())
        let address = try await change(id, of: tenant) { address throws(AdministrationError) in
            if keep > 0, let former = address.former, former.livesUntil > time {
                throw .refused(
                    "The address before this one still lives until \(former.livesUntil.formatted(.iso8601)): wait for "
                        + "that, or end both at once with --keep 0d.")
            }
            address.former = keep > 0 ? .init(hash: address.tokenHash, livesUntil: time + keep) : nil
            (address.tokenHash, address.token) = (token.hash, kept)
        }
        return try await details(of: address, tenant)
    }

    public func removeAddress(
        _ id: String, of slug: String?, rehearsal: Bool
    ) async throws(AdministrationError) -> Removal {
        let tenant = try await tenant(named: slug)
        let address = try await address(id, of: tenant)
        if !rehearsal { try await AdministrationError.translated { try await store.remove(address.id, of: tenant.id) } }
        return Removal(id: id, rehearsal: rehearsal)
    }

    func address(_ id: String, of tenant: Tenant) async throws(AdministrationError) -> Address {
        let found = try await AdministrationError.translated { try await store.address(Address.ID(id), of: tenant.id) }
        guard let found else {
            throw .unknown(
                "Tenant \(tenant.slug) has no address \"\(id)\"; `pinpost address list \(tenant.slug)` shows all.")
        }
        return found
    }

    private func makeToken(for tenant: Tenant) throws(AdministrationError) -> (AddressToken, SealedSecret) {
        var random = SystemRandom()
        let token = AddressToken.random(using: &random)
        do {
            return (token, try keeper.seal(token.text, for: .addressToken, of: tenant.id))
        } catch {
            throw AdministrationError(error)
        }
    }

    private func apply(_ rules: AddressRules, to address: inout Address) throws(AdministrationError) {
        if let mode = rules.mode { address.policy.mode = mode }
        if let senders = rules.senders {
            address.policy.senders = try senders.map { text throws(AdministrationError) in
                guard let rule = SenderRule(text) else {
                    throw .badValue("A sender is ada@example.org or @example.org, not \"\(text.prefix(100))\".")
                }
                return rule
            }
        }
        if address.policy.mode == .token {
            guard rules.senders?.isEmpty ?? true else {
                throw .badValue("Senders count only with the mode token+sender or sender.")
            }
            address.policy.senders = []
        } else {
            guard (1...SenderPolicy.mostSenders).contains(address.policy.senders.count) else {
                throw .badValue(
                    "The mode \(address.policy.mode.rawValue) needs 1 to \(SenderPolicy.mostSenders) senders (--from).")
            }
        }
        if let expires = rules.expires {
            address.expiresAt = expires.date(from: now())
            guard address.isLive(now: now()) else { throw .badValue("The address would have expired already.") }
        }
    }

    private func details(
        of address: Address, _ tenant: Tenant
    ) async throws(AdministrationError) -> AddressReport {
        let token = try await AdministrationError.translated { try keeper.open(address.token, of: tenant.id) }
        var report = AddressReport(address, now: now())
        report.address = names.mailAddress(token)
        var warnings: [String] = []
        if tenant.token == nil {
            warnings.append(
                "Tenant \(tenant.slug) has no Pinry token: nothing is pinned until `pinpost tenant set` gives one.")
        }
        if case .stopped(let reason) = tenant.status {
            warnings.append("Tenant \(tenant.slug) is stopped: \(reason)")
        }
        if !address.isLive(now: now()) { warnings.append("The address has expired.") }
        report.warnings = warnings
        return report
    }
}
