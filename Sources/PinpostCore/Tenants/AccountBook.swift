/// Opens the sealed token for the moment of a call.
public struct AccountBook: Sendable {
    private let directory: any TenantDirectory
    private let keeper: any SecretKeeper

    public init(directory: any TenantDirectory, keeper: any SecretKeeper) {
        self.directory = directory
        self.keeper = keeper
    }

    /// The account of a tenant on his server; its token is nil where none is saved.
    public func account(of id: Tenant.ID) async throws -> Account {
        guard let tenant = try await directory.tenant(id) else { throw StoreError(.notFound, "tenant") }
        guard let server = try await directory.server(tenant.server) else { throw StoreError(.notFound, "server") }
        let token = try tenant.token.map { try keeper.open($0, of: id) }
        return Account(tenant: id, server: server, username: tenant.username, token: token)
    }
}
