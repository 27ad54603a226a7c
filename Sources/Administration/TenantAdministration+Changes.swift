internal import Cryptography
public import PinpostCore

/// What `tenant set` is told; what is left out stays.
public struct TenantChange: Sendable {
    public var slug: String
    public var server: String?
    public var dialect: Server.Dialect?
    public var token: Secret?
    public var dropsToken = false
    public var board: Change<String> = .keep
    public var allowsPrivateNetwork: Bool?
    public var caPEM: Change<String> = .keep
    public var createsBoards: Bool?
    public var itemsPerMessage: Int?
    public var replies: Tenant.Replies?
    public var keepsCamera: Bool?

    public init(slug: String) { self.slug = slug }

    /// Whether Pinry has to agree.
    var concernsPinry: Bool {
        server != nil || dialect != nil || token != nil || dropsToken || !board.isKept || allowsPrivateNetwork != nil
            || !caPEM.isKept
    }
}

extension TenantAdministration {
    /// The range of `itemsPerMessage`.
    public static let itemsPerMessageRange = 1...500

    /// More parked items than that wait for `item retry`.
    private static let resumedItems = 10_000

    /// Tries the changed account at the live Pinry and stores the change when everything is right.
    ///
    /// Another server URL drops the token, the user and the board unless a token is entered with it.
    public func change(_ change: TenantChange) async throws(AdministrationError) -> TenantReport {
        var tenant = try await tenant(named: change.slug)
        try Self.apply(change, to: &tenant.preferences)
        guard change.concernsPinry else {
            let server = try await server(of: tenant)
            try await store(tenant, on: server)
            return TenantReport(tenant, on: server)
        }
        var (server, isMoved) = try await changedServer(of: tenant, change)
        let token = try await changedToken(of: tenant, change, isMoved: isMoved)
        let account = Account(tenant: tenant.id, server: server, username: nil, token: token)
        let board = Self.changedBoard(of: tenant, change, isMoved: isMoved, hasToken: token != nil)
        let diagnosis = try await diagnosis(of: account, board: board)

        server.newestPin = max(server.newestPin, diagnosis.newestPin)
        if change.token != nil || token == nil { tenant.token = try await seal(token, of: tenant.id) }
        tenant.server = server.id
        tenant.username = diagnosis.username
        tenant.board = diagnosis.board
        if token != nil { tenant.status = .active }
        try await store(tenant, on: server)
        try await remember(diagnosis, of: tenant)
        if token != nil { try await resumeItems(of: tenant) }
        let notes =
            isMoved && token == nil ? ["The token belongs to the old server and was dropped; enter a new one."] : []
        return TenantReport(tenant, on: server, warnings: notes + diagnosis.warnings)
    }

    /// Asks Pinry whether everything still works; a tenant that was stopped goes on when it does.
    ///
    /// How large a picture may be is found out anew: somebody may have raised the limit.
    public func check(tenant slug: String?) async throws(AdministrationError) -> TenantReport {
        var tenant = try await tenant(named: slug)
        let account = try await account(of: tenant)
        let board = account.token == nil ? nil : tenant.board.map { BoardChoice.id($0.id) }
        let asking = Account(tenant: tenant.id, server: account.server, username: nil, token: account.token)
        let diagnosis = try await diagnosis(of: asking, board: board)
        tenant.username = diagnosis.username
        tenant.board = diagnosis.board
        if account.token != nil { tenant.status = .active }
        var server = account.server
        server.newestPin = max(server.newestPin, diagnosis.newestPin)
        server.uploadLimit = nil
        try await store(tenant, on: server)
        try await remember(diagnosis, of: tenant)
        return TenantReport(tenant, on: server, warnings: diagnosis.warnings)
    }

    /// What was parked for want of a token goes on.
    private func resumeItems(of tenant: Tenant) async throws(AdministrationError) {
        let time = now()
        try await AdministrationError.translated {
            let parked = try await store.items(of: tenant.id, in: [.parked], newest: Self.resumedItems)
            for item in parked where item.reason == PinryError(.tokenMissing).description {
                try await store.retry(item.id, now: time)
            }
        }
    }

    private func store(_ tenant: Tenant, on server: Server) async throws(AdministrationError) {
        try await AdministrationError.translated { try await store.update(tenant, on: server) }
    }

    private static func apply(
        _ change: TenantChange, to preferences: inout Tenant.Preferences
    ) throws(AdministrationError) {
        if let creates = change.createsBoards { preferences.createsBoards = creates }
        if let replies = change.replies { preferences.replies = replies }
        if let keeps = change.keepsCamera { preferences.keepsCamera = keeps }
        guard let count = change.itemsPerMessage else { return }
        guard itemsPerMessageRange.contains(count) else {
            throw .badValue(
                "Items per message must be from \(itemsPerMessageRange.lowerBound) to \(itemsPerMessageRange.upperBound)."
            )
        }
        preferences.itemsPerMessage = count
    }

    /// The server after the change, and whether it is another one than before.
    private func changedServer(
        of tenant: Tenant, _ change: TenantChange
    ) async throws(AdministrationError) -> (Server, isMoved: Bool) {
        let old = try await server(of: tenant)
        let url = try change.server.map { text throws(AdministrationError) in try ServerURL(text).description }
        let dialect = change.dialect ?? old.dialect
        var new = old
        if url ?? old.baseURL != old.baseURL || dialect != old.dialect {
            new = try await server(at: ServerURL(url ?? old.baseURL), dialect: dialect)
        }
        if let allows = change.allowsPrivateNetwork { new.allowsPrivateNetwork = allows }
        if case .set(let pem) = change.caPEM { _ = try Self.certificates(pem) }
        new.caPEM = change.caPEM.applied(to: new.caPEM)
        return (new, new.baseURL != old.baseURL)
    }

    private func changedToken(
        of tenant: Tenant, _ change: TenantChange, isMoved: Bool
    ) async throws(AdministrationError) -> Secret? {
        if let token = change.token { return token }
        guard !isMoved, !change.dropsToken, let old = tenant.token else { return nil }
        return try await AdministrationError.translated { try keeper.open(old, of: tenant.id) }
    }

    /// The board to ask Pinry for: a kept one is asked for as well, because it may be gone.
    private static func changedBoard(
        of tenant: Tenant, _ change: TenantChange, isMoved: Bool, hasToken: Bool
    ) -> BoardChoice? {
        switch change.board {
        case .set(let text): BoardChoice(text)
        case .remove: nil
        case .keep: isMoved || !hasToken ? nil : tenant.board.map { .id($0.id) }
        }
    }
}
