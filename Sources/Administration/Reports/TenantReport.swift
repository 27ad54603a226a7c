public import FoundationEssentials
public import PinpostCore

/// A tenant as admins and scripts see it; the token is never in it.
public struct TenantReport: Codable, Sendable {
    /// The slug.
    public var tenant: String
    /// What the logs call it: unlike the slug it never comes back for another person.
    public var id: String
    /// The server's base URL.
    public var server: String
    public var dialect: Server.Dialect
    @Nullable public var username: String?
    /// The default board's name.
    @Nullable public var board: String?
    @Nullable public var boardID: Int64?
    public var hasToken: Bool
    public var allowsPrivateNetwork: Bool
    public var hasOwnCA: Bool
    /// `active` or `stopped`.
    public var state: String
    /// Why it is stopped.
    @Nullable public var reason: String?
    public var createsBoards: Bool
    public var itemsPerMessage: Int
    /// Which mails are answered.
    public var replies: Tenant.Replies
    /// Camera and time of exposure stay in pictures.
    public var keepsCamera: Bool
    /// The most bytes of a picture, where the server has refused a larger one.
    @Nullable public var uploadLimit: Int?
    public var created: Date
    /// What works but should be looked at.
    public var warnings: [String]

    enum CodingKeys: String, CodingKey {
        case tenant, id, server, dialect, username, board
        case boardID = "board_id"
        case hasToken = "has_token"
        case allowsPrivateNetwork = "allow_private"
        case hasOwnCA = "own_ca"
        case state, reason
        case createsBoards = "create_boards"
        case itemsPerMessage = "items_per_message"
        case replies
        case keepsCamera = "keep_camera"
        case uploadLimit = "max_upload_bytes"
        case created, warnings
    }

    init(_ tenant: Tenant, on server: Server, warnings: [String] = []) {
        self.tenant = tenant.slug
        self.id = tenant.id.rawValue
        self.server = server.baseURL
        self.dialect = server.dialect
        self.username = tenant.username
        self.board = tenant.board?.name
        self.boardID = tenant.board?.id.rawValue
        self.hasToken = tenant.token != nil
        self.allowsPrivateNetwork = server.allowsPrivateNetwork
        self.hasOwnCA = server.caPEM != nil
        switch tenant.status {
        case .active: (self.state, self.reason) = ("active", nil)
        case .stopped(let reason): (self.state, self.reason) = ("stopped", reason)
        }
        self.createsBoards = tenant.preferences.createsBoards
        self.itemsPerMessage = tenant.preferences.itemsPerMessage
        self.replies = tenant.preferences.replies ?? .always
        self.keepsCamera = tenant.preferences.keepsCamera ?? false
        self.uploadLimit = server.uploadLimit
        self.created = tenant.createdAt
        self.warnings = warnings
    }
}

/// What went, or would go, with a tenant.
public struct TenantRemoval: Codable, Sendable {
    public var tenant: String
    public var addresses: Int
    public var hooks: Int
    /// Items that are not yet pinned.
    public var openItems: Int
    /// Nothing was removed.
    public var rehearsal: Bool

    enum CodingKeys: String, CodingKey {
        case tenant, addresses, hooks
        case openItems = "open_items"
        case rehearsal = "dry_run"
    }
}
