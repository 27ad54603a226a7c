internal import Cryptography
public import PinpostCore

/// What `address add` and `hook add` are told.
public struct NewEntrance: Sendable {
    /// nil: the only tenant.
    public var tenant: String?
    public var board: BoardChoice?
    public var tags: [String]
    public var isPrivate: Bool
    public var label: String

    public static let longestLabel = 100
    public static let mostTags = 20
    /// Pinry refuses longer ones.
    public static let longestTag = 100

    public init(
        tenant: String?, board: BoardChoice? = nil, tags: [String] = [], isPrivate: Bool = false, label: String = ""
    ) {
        self.tenant = tenant
        self.board = board
        self.tags = tags
        self.isPrivate = isPrivate
        self.label = label
    }
}

/// Addresses: the secret mail addresses of a tenant.
extension TenantAdministration {
    /// Makes an address; a board is looked up in the live Pinry first.
    public func addAddress(_ new: NewEntrance) async throws(AdministrationError) -> AddressSecret {
        let tenant = try await tenant(named: new.tenant)
        let defaults = try await defaults(of: new, for: tenant)
        var random = SystemRandom()
        let token = AddressToken.random(using: &random)
        let kept = try await AdministrationError.translated {
            try keeper.seal(token.text, for: .addressToken, of: tenant.id)
        }
        let address = Address(
            id: .random(using: &random), tenant: tenant.id, tokenHash: token.hash, token: kept, defaults: defaults,
            createdAt: now())
        try await AdministrationError.translated { try await store.add(address) }
        return AddressSecret(id: address.id.rawValue, address: names.mailAddress(token.text))
    }

    public func addresses(of slug: String?) async throws(AdministrationError) -> [EntranceReport] {
        let tenant = try await tenant(named: slug)
        return try await AdministrationError.translated { try await store.addresses(of: tenant.id) }.map(
            EntranceReport.init)
    }

    /// Opens the sealed copy, so that the tenant can see his own address again.
    public func showAddress(_ id: String, of slug: String?) async throws(AdministrationError) -> AddressSecret {
        let tenant = try await tenant(named: slug)
        let address = try await address(id, of: tenant)
        let token = try await AdministrationError.translated { try keeper.open(address.token, of: tenant.id) }
        return AddressSecret(id: id, address: names.mailAddress(token))
    }

    public func removeAddress(
        _ id: String, of slug: String?, rehearsal: Bool
    ) async throws(AdministrationError) -> Removal {
        let tenant = try await tenant(named: slug)
        let address = try await address(id, of: tenant)
        if !rehearsal { try await AdministrationError.translated { try await store.remove(address.id, of: tenant.id) } }
        return Removal(id: id, rehearsal: rehearsal)
    }

    private func address(_ id: String, of tenant: Tenant) async throws(AdministrationError) -> Address {
        let found = try await AdministrationError.translated { try await store.address(Address.ID(id), of: tenant.id) }
        guard let found else {
            throw .unknown(
                "Tenant \(tenant.slug) has no address \"\(id)\"; `pinpost address list \(tenant.slug)` shows all.")
        }
        return found
    }
}

/// Hooks: the webhook end points of a tenant.
extension TenantAdministration {
    public func hooks(of slug: String?) async throws(AdministrationError) -> [EntranceReport] {
        let tenant = try await tenant(named: slug)
        return try await AdministrationError.translated { try await store.hooks(of: tenant.id) }
            .map { EntranceReport($0, url: names.url(of: $0.id)) }
    }

    public func removeHook(
        _ id: String, of slug: String?, rehearsal: Bool
    ) async throws(AdministrationError) -> Removal {
        let tenant = try await tenant(named: slug)
        let hook = try await hook(id, of: tenant)
        if !rehearsal { try await AdministrationError.translated { try await store.remove(hook.id, of: tenant.id) } }
        return Removal(id: id, rehearsal: rehearsal)
    }
}

extension TenantAdministration {
    func defaults(
        of new: NewEntrance, for tenant: Tenant
    ) async throws(AdministrationError) -> EntranceDefaults {
        guard new.label.count <= NewEntrance.longestLabel else {
            throw .badValue("A label has at most \(NewEntrance.longestLabel) characters.")
        }
        let tags = try Self.tags(new.tags)
        var board: Board?
        if let choice = new.board { board = try await self.board(choice, of: tenant) }
        return EntranceDefaults(board: board, tags: tags, isPrivate: new.isPrivate, label: new.label)
    }

    /// Tags as an admin writes them: with or without `#`, each once.
    public static func tags(_ texts: [String]) throws(AdministrationError) -> [String] {
        var tags: [String] = []
        for text in texts {
            let tag = (text.hasPrefix("#") ? String(text.dropFirst()) : text).trimmed
            guard (1...NewEntrance.longestTag).contains(tag.count), !tag.contains(where: { $0 == "," || $0.isNewline })
            else {
                throw .badValue(
                    "A tag has 1 to \(NewEntrance.longestTag) characters without commas, not \"\(text.prefix(120))\".")
            }
            if !tags.contains(tag) { tags.append(tag) }
        }
        guard tags.count <= NewEntrance.mostTags else {
            throw .badValue("There may be at most \(NewEntrance.mostTags) tags.")
        }
        return tags
    }
}
