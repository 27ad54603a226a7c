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

/// Hooks: the webhook end points of a tenant.
extension TenantAdministration {
    public func hooks(of slug: String?) async throws(AdministrationError) -> [EntranceReport] {
        let tenant = try await tenant(named: slug)
        return try await AdministrationError.translated {
            let uses = try await store.lastUses(ofHooksOf: tenant.id)
            return try await store.hooks(of: tenant.id).map { hook in
                EntranceReport(hook, url: names.url(of: hook.id), lastUsed: uses[hook.id])
            }
        }
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
