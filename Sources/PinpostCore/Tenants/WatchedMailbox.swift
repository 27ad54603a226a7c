public import FoundationEssentials

/// An IMAP account that Pinpost watches; mail in it reaches tenants through their addresses.
public struct WatchedMailbox: Sendable, Hashable {
    public typealias ID = Identifier<WatchedMailbox>

    public let id: ID
    /// What the admin calls it: a-z, 0-9 and inner hyphens.
    public var name: String
    public var settings: MailboxSettings
    /// The password, or the OAuth 2 refresh token.
    public var secret: SealedSecret
    /// The secret of the OAuth 2 client, where the provider gave one.
    public var clientSecret: SealedSecret?
    public let createdAt: Date

    public init(
        id: ID, name: String, settings: MailboxSettings, secret: SealedSecret, clientSecret: SealedSecret? = nil,
        createdAt: Date
    ) {
        self.id = id
        self.name = name
        self.settings = settings
        self.secret = secret
        self.clientSecret = clientSecret
        self.createdAt = createdAt
    }

    /// The vault seals for a tenant; a mailbox, which belongs to none, has a key of its own under its id.
    public static func sealingName(of id: ID) -> Tenant.ID { Tenant.ID("mailbox:\(id)") }
}

/// Everything about a mailbox that is no secret.
public struct MailboxSettings: Sendable, Hashable, Codable {
    public enum Encryption: String, Sendable, Codable, CaseIterable {
        case tls, starttls, none

        /// Where servers listen for it.
        public var standardPort: Int { self == .tls ? 993 : 143 }
    }

    /// What happens to a mail once all of its pins are made.
    public enum Afterwards: Sendable, Hashable, Codable {
        case leave
        /// The keyword `$Pinned`, or \Flagged where the server takes no keywords.
        case mark
        case move(folder: String)
        case delete
    }

    public var host: String
    public var port: Int
    public var encryption: Encryption
    public var username: String
    /// nil: a password.
    public var oauth: OAuthClient?
    public var folder: String
    /// Header fields that carry the recipient, as the receiving server stamps them.
    public var recipientHeaders: [String]
    public var afterwards: Afterwards
    /// Where mails go that could not be pinned; nil leaves them, marked.
    public var failureFolder: String?
    /// What is in the folder when Pinpost first looks is left alone.
    public var newOnly: Bool
    /// Whose Authentication-Results count: exact ids, or `.suffix`.
    public var trustedAuthServers: [String]
    public var caPEM: String?
    /// `sha256//…` of the server's public key.
    public var pin: String?
    public var proxy: String?

    /// The trusted ids that have the right form.
    public var trustedServers: [AuthServerPattern] { trustedAuthServers.compactMap { AuthServerPattern($0) } }

    /// Stamped by the receiving server on the way into a mailbox.
    public static let standardRecipientHeaders = ["Delivered-To", "X-Original-To", "Envelope-To", "X-Delivered-To"]

    public init(host: String, port: Int? = nil, encryption: Encryption = .tls, username: String) {
        self.host = host
        self.port = port ?? encryption.standardPort
        self.encryption = encryption
        self.username = username
        oauth = nil
        folder = "INBOX"
        recipientHeaders = Self.standardRecipientHeaders
        afterwards = .leave
        failureFolder = nil
        newOnly = false
        trustedAuthServers = []
        caPEM = nil
        pin = nil
        proxy = nil
    }
}

/// How new access tokens are got (RFC 6749 section 6), and how the right to them.
public struct OAuthClient: Sendable, Hashable, Codable {
    public var tokenEndpoint: String
    public var clientID: String
    /// nil leaves it to what was granted.
    public var scope: String?
    /// Where a person allows it in a browser (RFC 6749 section 3.1); it may have a query.
    public var authorizationEndpoint: String?
    /// Where a device gets its code (RFC 8628 section 3.1).
    public var deviceEndpoint: String?

    public init(
        tokenEndpoint: String, clientID: String, scope: String? = nil, authorizationEndpoint: String? = nil,
        deviceEndpoint: String? = nil
    ) {
        self.tokenEndpoint = tokenEndpoint
        self.clientID = clientID
        self.scope = scope
        self.authorizationEndpoint = authorizationEndpoint
        self.deviceEndpoint = deviceEndpoint
    }
}
