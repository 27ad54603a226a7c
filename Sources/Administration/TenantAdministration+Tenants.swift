internal import Cryptography
public import PinpostCore

/// What `tenant add` is told.
public struct NewTenant: Sendable {
    public var slug: String
    /// As written; see `ServerURL`.
    public var server: String
    public var dialect: Server.Dialect
    public var token: Secret?
    public var board: BoardChoice?
    public var allowsPrivateNetwork: Bool
    public var caPEM: String?

    public init(
        slug: String, server: String, dialect: Server.Dialect = .v2, token: Secret? = nil, board: BoardChoice? = nil,
        allowsPrivateNetwork: Bool = false, caPEM: String? = nil
    ) {
        self.slug = slug
        self.server = server
        self.dialect = dialect
        self.token = token
        self.board = board
        self.allowsPrivateNetwork = allowsPrivateNetwork
        self.caPEM = caPEM
    }
}

extension TenantAdministration {
    public func tenants() async throws(AdministrationError) -> [TenantReport] {
        var reports: [TenantReport] = []
        for tenant in try await AdministrationError.translated({ try await store.tenants() }) {
            reports.append(TenantReport(tenant, on: try await server(of: tenant)))
        }
        return reports
    }

    public func show(tenant slug: String?) async throws(AdministrationError) -> TenantReport {
        let tenant = try await tenant(named: slug)
        return TenantReport(tenant, on: try await server(of: tenant))
    }

    /// Tries the account at the live Pinry and stores it when everything is right.
    public func add(_ new: NewTenant) async throws(AdministrationError) -> TenantReport {
        try await check(newSlug: new.slug)
        let url = try ServerURL(new.server)
        let known = try await server(at: url, dialect: new.dialect)
        var server = known
        if new.allowsPrivateNetwork { server.allowsPrivateNetwork = true }
        if let pem = new.caPEM { server.caPEM = try Self.certificates(pem) }

        var random = SystemRandom()
        let id = Tenant.ID.random(using: &random)
        let account = Account(tenant: id, server: server, username: nil, token: new.token)
        let diagnosis = try await diagnosis(of: account, board: new.board)
        server.newestPin = max(server.newestPin, diagnosis.newestPin)
        let tenant = Tenant(
            id: id, slug: new.slug, server: server.id, username: diagnosis.username,
            token: try await seal(new.token, of: id), board: diagnosis.board, createdAt: now())
        try await AdministrationError.translated { [server] in
            try await store.add(tenant, on: server, changedFrom: known)
        }
        try await remember(diagnosis, of: tenant)
        return TenantReport(tenant, on: server, warnings: diagnosis.warnings)
    }

    private func check(newSlug slug: String) async throws(AdministrationError) {
        guard Tenant.isValid(slug: slug) else {
            throw .badValue("A tenant's name has 1 to 63 characters of a-z, 0-9 and inner hyphens, not \"\(slug)\".")
        }
        if try await AdministrationError.translated({ try await store.tenant(slug: slug) }) != nil {
            throw .taken("There is a tenant \"\(slug)\" already; change it with `pinpost tenant set \(slug)`.")
        }
    }

    /// The stored server of that address, or a new one that is not stored yet.
    func server(at url: ServerURL, dialect: Server.Dialect) async throws(AdministrationError) -> Server {
        let known = try await AdministrationError.translated {
            try await store.server(baseURL: url.description, dialect: dialect)
        }
        var random = SystemRandom()
        return known ?? Server(id: .random(using: &random), baseURL: url.description, dialect: dialect)
    }

    func seal(_ token: Secret?, of tenant: Tenant.ID) async throws(AdministrationError) -> SealedSecret? {
        guard let token else { return nil }
        return try await AdministrationError.translated { try keeper.seal(token, for: .pinryToken, of: tenant) }
    }

    /// Certificates in PEM form, as `--ca-file` brings them.
    static func certificates(_ text: String) throws(AdministrationError) -> String {
        guard text.utf8.count <= 256 * 1024, text.contains("-----BEGIN CERTIFICATE-----") else {
            throw .badValue(
                "The CA file must hold certificates in PEM form (-----BEGIN CERTIFICATE-----), up to 256 KiB.")
        }
        return text
    }

    /// Removes a tenant and everything that is his; a rehearsal only counts it.
    public func remove(tenant slug: String, rehearsal: Bool) async throws(AdministrationError) -> TenantRemoval {
        let tenant = try await tenant(named: slug)
        let open: Set<Item.State> = [.ready, .running, .parked]
        let removal = TenantRemoval(
            tenant: tenant.slug,
            addresses: try await AdministrationError.translated { try await store.addresses(of: tenant.id).count },
            hooks: try await AdministrationError.translated { try await store.hooks(of: tenant.id).count },
            openItems: try await AdministrationError.translated {
                try await store.items(of: tenant.id, in: open, newest: 10_000).count
            },
            rehearsal: rehearsal)
        if !rehearsal { try await AdministrationError.translated { try await store.remove(tenant.id) } }
        return removal
    }
}
