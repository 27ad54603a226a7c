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
        try await Contention.resolve { () async throws(AdministrationError) in try await attempt(change) }
    }

    /// nil: somebody else has changed the tenant meanwhile.
    private func attempt(_ change: TenantChange) async throws(AdministrationError) -> TenantReport? {
        let old = try await tenant(named: change.slug)
        var tenant = old
        try Self.apply(change, to: &tenant.preferences)
        guard change.concernsPinry else {
            let server = try await server(of: tenant)
            let isStored = try await store(tenant, insteadOf: old, on: server, changedFrom: server)
            return isStored ? TenantReport(tenant, on: server) : nil
        }
        let known = try await knownServer(of: tenant, change)
        var server = try Self.changed(known, change)
        let isMoved = try await known.baseURL != self.server(of: old).baseURL
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
        guard try await store(tenant, insteadOf: old, on: server, changedFrom: known) else { return nil }
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
        try await Contention.resolve { () async throws(AdministrationError) in try await attemptCheck(of: slug) }
    }

    /// nil: somebody else has changed the tenant meanwhile.
    private func attemptCheck(of slug: String?) async throws(AdministrationError) -> TenantReport? {
        let old = try await tenant(named: slug)
        var tenant = old
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
        guard try await store(tenant, insteadOf: old, on: server, changedFrom: account.server) else { return nil }
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

    private func store(
        _ tenant: Tenant, insteadOf old: Tenant, on server: Server, changedFrom known: Server
    ) async throws(AdministrationError) -> Bool {
        try await AdministrationError.translated {
            try await store.update(tenant, insteadOf: old, on: server, changedFrom: known)
        }
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

    /// The server that is meant, as it is.
    private func knownServer(
        of tenant: Tenant, _ change: TenantChange
    ) async throws(AdministrationError) -> Server {
        let present = try await server(of: tenant)
        let url = try change.server.map { text throws(AdministrationError) in try ServerURL(text).description }
        let dialect = change.dialect ?? present.dialect
        guard url ?? present.baseURL != present.baseURL || dialect != present.dialect else { return present }
        return try await server(at: ServerURL(url ?? present.baseURL), dialect: dialect)
    }

    private static func changed(_ server: Server, _ change: TenantChange) throws(AdministrationError) -> Server {
        var server = server
        if let allows = change.allowsPrivateNetwork { server.allowsPrivateNetwork = allows }
        if case .set(let pem) = change.caPEM { _ = try certificates(pem) }
        server.caPEM = change.caPEM.applied(to: server.caPEM)
        return server
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
