public import FoundationEssentials

/// An answer that the sender of a message waits for, with everything that it may say.
public struct OwedReply: Sendable, Hashable {
    /// Its body is still there: where the answer goes may stand only in it.
    public let message: Message
    public let items: [Item]
    public let tenant: Tenant
    /// The tenant's Pinry, for the addresses of pins.
    public let server: Server
    /// Counts the attempts to send it; the one under way is included, and later ones fence it.
    public let attempt: Int
    /// When it was first tried.
    public let triedSince: Date

    public init(
        message: Message, items: [Item], tenant: Tenant, server: Server, attempt: Int, triedSince: Date
    ) {
        self.message = message
        self.items = items
        self.tenant = tenant
        self.server = server
        self.attempt = attempt
        self.triedSince = triedSince
    }

    /// Items that are still on their way: "is being tried again".
    public var pending: [Item] { items.filter { !$0.state.isFinal } }
}

/// The outbox: one answer for each message whose reader saw that the sender waits for one.
///
/// An answer is due when its message is done, or `ReplyQueue.patience` after the message arrived while some items
/// still wait. A process that dies between sending and settling sends the answer once more: channels name it by the
/// message, so that a repeat can be recognised.
public protocol ReplyQueue: Sendable {
    /// Takes due answers, the longest due first, for as long as until `deadline`, when they are due again.
    ///
    /// Each attempt is counted and committed before they are returned.
    func takeReplies(upTo limit: Int, now: Date, until deadline: Date) async throws(StoreError) -> [OwedReply]
    /// The answer is given, or never will be; the body of a message that is done goes.
    ///
    /// Throws `.leaseLost` when it was taken again since, or is settled.
    func settle(_ reply: OwedReply, as outcome: ReplyOutcome, now: Date) async throws(StoreError)
    /// It will be tried again. Throws `.leaseLost` as `settle` does.
    func postpone(_ reply: OwedReply, until due: Date, reason: String) async throws(StoreError)
    /// When an answer is due next; nil when none is owed.
    func nextReply() async throws(StoreError) -> Date?
}

extension ReplyQueue {
    /// What an answer waits for the last items, in seconds.
    public static var patience: TimeInterval { 600 }
}

public enum ReplyOutcome: Sendable, Hashable {
    case sent
    case notSent(reason: String)
}

/// What keeps answers from flooding anybody.
public protocol ReplyGate: Sendable {
    /// Counts an answer to `correspondent` (a hash, no address in the clear) unless that would pass a limit.
    ///
    /// An answer that was counted before passes again, and counts once.
    func admit(
        _ reply: OwedReply, to correspondent: [UInt8], within limits: ReplyLimits, now: Date
    ) async throws(StoreError) -> Bool
}

/// How many answers may be sent.
public struct ReplyLimits: Sendable, Hashable {
    /// To one correspondent in an hour.
    public var hourlyPerCorrespondent = 10
    /// For one tenant in a day.
    public var dailyPerTenant = 100

    public init() {}
}

/// A way back to the senders of one kind of message.
public protocol ReplyChannel: Sendable {
    /// Sends the answer to a message that came this way; a repeat of the same answer must be recognisable as one.
    func send(_ reply: OwedReply) async throws(ReplyError)
}

/// An answer was not sent.
public struct ReplyError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// By our own rules: automated mail, a sender who is not trusted, a tenant who wants none.
        case withheld
        /// The other side will not take it, now or later.
        case refused
        /// Worth another attempt.
        case unavailable
    }

    public let code: Code
    public let detail: String
    /// What the other side asked for, in seconds.
    public let retryAfter: TimeInterval?

    public init(_ code: Code, _ detail: String, retryAfter: TimeInterval? = nil) {
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
    }
}

extension ReplyError: CustomStringConvertible {
    public var description: String { "\(code.rawValue): \(detail)" }
}
