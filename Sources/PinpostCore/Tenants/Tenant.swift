public import FoundationEssentials

/// One person with one Pinry account.
public struct Tenant: Sendable, Hashable {
    public typealias ID = Identifier<Tenant>

    public enum Status: Sendable, Hashable {
        case active
        /// Nothing is delivered until a person acts, for example after Pinry refused the token.
        case stopped(reason: String)
    }

    /// What a tenant may change for himself.
    public struct Preferences: Sendable, Hashable, Codable {
        /// A board that a message names and that does not exist is made.
        public var createsBoards = false
        /// More items in one message are reported, not pinned.
        public var itemsPerMessage = 50

        /// Which mails are answered; nil means all.
        public var replies: Replies?
        /// Camera and time of exposure stay in pictures; nil means no.
        public var keepsCamera: Bool?

        public init() {}
    }

    /// When a sender is told what became of his mail.
    public enum Replies: String, Sendable, Codable, CaseIterable {
        case always
        /// Something did not become a pin.
        case failures
        case never
    }

    public let id: ID
    /// 1…63 characters of a–z, 0–9 and inner hyphens; unique.
    public var slug: String
    public var server: Server.ID
    /// Pinry's name of the account; nil while there is no token.
    public var username: String?
    public var token: SealedSecret?
    /// Where pins go that name no board; nil means no board.
    public var board: Board?
    public var status: Status
    public var preferences: Preferences
    public let createdAt: Date

    public init(
        id: ID, slug: String, server: Server.ID, username: String? = nil, token: SealedSecret? = nil,
        board: Board? = nil, status: Status = .active, preferences: Preferences = Preferences(), createdAt: Date
    ) {
        self.id = id
        self.slug = slug
        self.server = server
        self.username = username
        self.token = token
        self.board = board
        self.status = status
        self.preferences = preferences
        self.createdAt = createdAt
    }

    /// A DNS label: what `tenant add` accepts.
    public static func isValid(slug: String) -> Bool {
        let characters = Array(slug.utf8)
        guard (1...63).contains(characters.count), characters.first != UInt8(ascii: "-"),
            characters.last != UInt8(ascii: "-")
        else { return false }
        return characters.allSatisfy { character in
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
    }
}

/// What a Pinry call needs: where, and as whom.
public struct Account: Sendable {
    public let tenant: Tenant.ID
    public let server: Server
    /// nil for anonymous calls and while a new token is being checked.
    public let username: String?
    /// nil: only public pins can be read.
    public let token: Secret?

    public init(tenant: Tenant.ID, server: Server, username: String?, token: Secret?) {
        self.tenant = tenant
        self.server = server
        self.username = username
        self.token = token
    }
}
