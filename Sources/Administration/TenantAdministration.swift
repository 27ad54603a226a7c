public import Cryptography
public import FoundationEssentials
public import PinpostCore

/// What an admin may do: the command line and the web page both call this, and nothing else changes a tenant.
///
/// A change that Pinry has to agree with is tried there first; when it is refused, nothing is stored.
public struct TenantAdministration: Sendable {
    let store: any AdministeredStore
    let pinry: any PinryAPI
    let keeper: any SecretKeeper
    let ring: KeyRing
    let names: PublicNames
    let now: @Sendable () -> Date

    public init(
        store: any AdministeredStore, pinry: any PinryAPI, keeper: any SecretKeeper, ring: KeyRing,
        names: PublicNames, now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.pinry = pinry
        self.keeper = keeper
        self.ring = ring
        self.names = names
        self.now = now
    }
}

/// The ports of the store that administration needs.
public typealias AdministeredStore = Registry & TenantDirectory & MessageHistory

/// How the outside names this Pinpost.
public struct PublicNames: Sendable {
    /// `PINPOST_PUBLIC_URL`, without a trailing slash.
    let publicURL: String
    let addressing: MailAddressing

    public init(publicURL: String, addressing: MailAddressing) {
        self.publicURL = publicURL
        self.addressing = addressing
    }

    func url(of hook: Hook.ID) -> String { "\(publicURL)/v1/hooks/\(hook)" }

    func mailAddress(_ token: Secret) -> String { addressing.address(for: token.revealed) }
}

extension Secret {
    /// The text, for showing it to the person it belongs to.
    var revealed: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}

/// What to do with a setting.
public enum Change<Value: Sendable & Codable>: Sendable, Codable {
    case keep, remove
    case set(Value)

    /// The new value, given the old one.
    func applied(to old: Value?) -> Value? {
        switch self {
        case .keep: old
        case .remove: nil
        case .set(let value): value
        }
    }

    var isKept: Bool {
        if case .keep = self { true } else { false }
    }
}

extension TenantAdministration {
    /// The tenant of that name; without a name the only one there is.
    public func tenant(named slug: String?) async throws(AdministrationError) -> Tenant {
        guard let slug else { return try await onlyTenant() }
        let found = try await AdministrationError.translated { try await store.tenant(slug: slug) }
        guard let found else {
            throw .unknown("There is no tenant \"\(slug)\"; `pinpost tenant list` shows all.")
        }
        return found
    }

    private func onlyTenant() async throws(AdministrationError) -> Tenant {
        let tenants = try await AdministrationError.translated { try await store.tenants() }
        guard let first = tenants.first else {
            throw .unknown("There is no tenant yet; add one with `pinpost tenant add SLUG --server URL`.")
        }
        guard tenants.count == 1 else {
            let slugs = tenants.prefix(10).map(\.slug).joined(separator: ", ")
            throw .badValue(
                "There are \(tenants.count) tenants, so say which one: \(slugs)\(tenants.count > 10 ? ", …" : "").")
        }
        return first
    }

    func slug(of id: Tenant.ID) async throws(AdministrationError) -> String? {
        try await AdministrationError.translated { try await store.tenant(id) }?.slug
    }

    func addresses(of tenant: Tenant) async throws(AdministrationError) -> [Address] {
        try await AdministrationError.translated { try await store.addresses(of: tenant.id) }
    }

    func server(of tenant: Tenant) async throws(AdministrationError) -> Server {
        let found = try await AdministrationError.translated { try await store.server(tenant.server) }
        guard let found else { throw .store(StoreError(.corrupt, "the server of tenant \(tenant.slug) is missing")) }
        return found
    }

    /// What a Pinry call as this tenant needs.
    public func account(of tenant: Tenant) async throws(AdministrationError) -> Account {
        let server = try await server(of: tenant)
        var token: Secret?
        if let kept = tenant.token {
            token = try await AdministrationError.translated { try keeper.open(kept, of: tenant.id) }
        }
        return Account(tenant: tenant.id, server: server, username: tenant.username, token: token)
    }

    /// Looks a board up in the live Pinry.
    public func board(_ choice: BoardChoice, of tenant: Tenant) async throws(AdministrationError) -> Board {
        let account = try await account(of: tenant)
        let diagnosis = try await diagnosis(of: account, board: choice)
        try await remember(diagnosis, of: tenant)
        guard let board = diagnosis.board else { throw .pinry(PinryError(.boardMissing)) }
        return board
    }

    /// Asks Pinry who the account is; a board can be looked up only with a token.
    func diagnosis(of account: Account, board: BoardChoice?) async throws(AdministrationError) -> Diagnosis {
        if board != nil, account.token == nil {
            throw .pinry(PinryError(.tokenMissing, detail: "a board can be chosen only with a token"))
        }
        return try await AdministrationError.translated { try await pinry.diagnose(account, board: board) }
    }

    func remember(_ diagnosis: Diagnosis, of tenant: Tenant) async throws(AdministrationError) {
        guard diagnosis.username != nil else { return }
        let time = now()
        try await AdministrationError.translated {
            try await store.remember(diagnosis.boards, of: tenant.id, readAt: time)
        }
    }
}
