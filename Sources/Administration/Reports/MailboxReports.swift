public import FoundationEssentials
public import PinpostCore

/// A mailbox and how it is doing, without its secret.
public struct MailboxReport: Codable, Sendable {
    public var mailbox: String
    public var host: String
    public var port: Int
    public var encryption: MailboxSettings.Encryption
    public var username: String
    /// `password` or `oauth2`.
    public var login: String
    public var folder: String
    public var recipientHeaders: [String]
    /// `leave`, `mark`, `delete` or `move:FOLDER`.
    public var after: String
    @Nullable public var failures: String?
    public var trustedAuthServers: [String]
    /// `watched`, `failing`, `deaf`, `new` or `stopped`.
    public var state: String
    /// Why it fails or was stopped.
    @Nullable public var reason: String?
    @Nullable public var lastSuccess: Date?
    public var taken: Int
    public var quarantined: Int
    /// Of `quarantined`: mails that the server would not give.
    public var unreadable: Int
    /// Mails that could not be read yet and are asked for again.
    public var failing: Int

    enum CodingKeys: String, CodingKey {
        case mailbox, host, port, encryption, username, login, folder
        case recipientHeaders = "recipient_headers"
        case after, failures
        case trustedAuthServers = "trusted_authserv_ids"
        case state, reason
        case lastSuccess = "last_success"
        case taken, quarantined, unreadable, failing
    }

    init(_ mailbox: WatchedMailbox, _ health: MailboxHealth, now: Date) {
        let settings = mailbox.settings
        self.mailbox = mailbox.name
        host = settings.host
        port = settings.port
        encryption = settings.encryption
        username = settings.username
        login = settings.oauth == nil ? "password" : "oauth2"
        folder = settings.folder
        recipientHeaders = settings.recipientHeaders
        after = settings.afterwards.description
        failures = settings.failureFolder
        trustedAuthServers = settings.trustedAuthServers
        state = health.state(since: mailbox.createdAt, now: now).rawValue
        reason = health.stoppedReason ?? health.lastError
        lastSuccess = health.lastSuccess
        taken = health.taken
        quarantined = health.quarantined
        unreadable = health.unreadable
        failing = health.failing
    }
}

/// A mail that stays in its folder although it, or something of it, is unfinished.
public struct QuarantineLine: Codable, Sendable {
    public var uid: UInt32
    public var kind: QuarantinedMail.Kind
    public var reason: String
    public var seen: Date

    init(_ mail: QuarantinedMail) {
        uid = mail.uid
        kind = mail.kind
        reason = mail.reason
        seen = mail.seenAt
    }
}

extension MailboxSettings.Afterwards: CustomStringConvertible {
    /// As the command line writes it.
    public var description: String {
        switch self {
        case .leave: "leave"
        case .mark: "mark"
        case .move(let folder): "move:\(folder)"
        case .delete: "delete"
        }
    }

    /// Reads `leave`, `mark`, `delete` or `move:FOLDER`.
    public init?(_ text: String) {
        switch text {
        case "leave": self = .leave
        case "mark": self = .mark
        case "delete": self = .delete
        case _ where text.hasPrefix("move:") && text.utf8.count > 5: self = .move(folder: String(text.dropFirst(5)))
        default: return nil
        }
    }
}
