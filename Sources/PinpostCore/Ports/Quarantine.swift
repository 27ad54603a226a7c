public import FoundationEssentials

/// A mail that is kept for a person to look at: it leads to no live address, or its sender is not trusted.
///
/// Nobody is told of it; it goes by itself when its time is over, or when there are too many.
public struct HeldMail: Sendable, Hashable {
    public typealias ID = Identifier<HeldMail>

    public enum Cause: String, Sendable, Codable, CaseIterable {
        /// It has a recipient of our form, behind which nobody is.
        case unknownAddress = "unknown-address"
        /// The rules of its address want another sender, or a proven one.
        case sender
    }

    public let id: ID
    public let cause: Cause
    /// The cause in words.
    public let reason: String
    /// The message that waits for its release; nil for a mail that is nobody's yet.
    public let message: Message.ID?
    public let tenant: Tenant.ID?
    public let envelope: Envelope
    public let body: StoredBytes
    public let heldAt: Date
    public let expiresAt: Date

    public init(
        id: ID, cause: Cause, reason: String, message: Message.ID? = nil, tenant: Tenant.ID? = nil,
        envelope: Envelope, body: StoredBytes, heldAt: Date, expiresAt: Date
    ) {
        self.id = id
        self.cause = cause
        self.reason = reason
        self.message = message
        self.tenant = tenant
        self.envelope = envelope
        self.body = body
        self.heldAt = heldAt
        self.expiresAt = expiresAt
    }
}

/// How much is kept at most; the oldest goes first.
///
/// Each tenant has them for himself, and what is nobody's has them once more.
public struct QuarantineLimits: Sendable, Hashable {
    public var mails = 1_000
    /// All of them together, in bytes.
    public var bytes = 512 << 20
    /// How long one is kept, in seconds.
    public var age: TimeInterval = 30 * 86_400

    public init() {}

    public init(mails: Int, bytes: Int, age: TimeInterval) {
        self.mails = mails
        self.bytes = bytes
        self.age = age
    }
}

/// Mails that wait for a person.
public protocol Quarantine: Sendable {
    /// Keeps a mail that is nobody's; of one that is kept already the earlier id, and the caller discards its bytes.
    ///
    /// `key` is what makes it the same mail.
    func hold(_ mail: HeldMail, key: [UInt8], within limits: QuarantineLimits) async throws(StoreError) -> HeldMail.ID
    /// Parks a message that was taken for reading, and keeps its body until `limits.age` is over.
    func hold(
        _ message: Message.ID, because reason: String, within limits: QuarantineLimits, now: Date
    ) async throws(StoreError)
    /// Newest first.
    func heldMails(newest limit: Int) async throws(StoreError) -> [HeldMail]
    func heldMail(_ id: HeldMail.ID) async throws(StoreError) -> HeldMail?
    func heldMail(of message: Message.ID) async throws(StoreError) -> HeldMail?
    /// Lets a held message be read again; `past` the rules about senders where that is wished.
    func release(_ id: HeldMail.ID, past isTrusted: Bool, now: Date) async throws(StoreError)
    /// Makes a message of a mail that was nobody's; its body becomes the message's. A known delivery changes nothing.
    func release(_ id: HeldMail.ID, as message: ReceivedMessage) async throws(StoreError) -> Acceptance
    /// Throws a mail away; its message, where it has one, stays parked.
    func removeHeld(_ id: HeldMail.ID) async throws(StoreError)
    /// Throws away what is too old.
    func expireHeld(now: Date) async throws(StoreError)
    /// A parked message is read again, with its count of crashes at zero; throws `.refused` where its body is gone.
    func replay(_ message: Message.ID, now: Date) async throws(StoreError)
}
