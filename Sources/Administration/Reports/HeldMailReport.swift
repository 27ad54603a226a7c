public import FoundationEssentials
public import PinpostCore

/// A mail that waits for a person.
public struct HeldMailReport: Codable, Sendable {
    public var id: String
    public var cause: HeldMail.Cause
    public var reason: String
    /// The message that it is; null for a mail that is nobody's yet.
    @Nullable public var message: String?
    @Nullable public var tenant: String?
    /// The sender in the envelope, where it is known; anybody can write it.
    @Nullable public var sender: String?
    @Nullable public var mailbox: String?
    public var bytes: Int
    /// When it came; `held` is when it was found that it has to wait.
    public var received: Date
    public var held: Date
    public var expires: Date

    init(_ mail: HeldMail, tenant: String?, mailbox: String?, received: Date?) {
        id = mail.id.rawValue
        cause = mail.cause
        reason = mail.reason
        message = mail.message?.rawValue
        self.tenant = tenant
        sender = mail.envelope.sender
        self.mailbox = mailbox
        bytes = mail.body.count
        self.received = received ?? mail.heldAt
        held = mail.heldAt
        expires = mail.expiresAt
    }
}
