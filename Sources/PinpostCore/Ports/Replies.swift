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
    /// Whom it keeps waiting, and is kept waiting by: the mail server, or a provider's host.
    public let lane: String

    public init(
        message: Message, items: [Item], tenant: Tenant, server: Server, attempt: Int, triedSince: Date,
        lane: String = OwedReply.mailLane
    ) {
        self.message = message
        self.items = items
        self.tenant = tenant
        self.server = server
        self.attempt = attempt
        self.triedSince = triedSince
        self.lane = lane
    }

    /// The lane of all answers by mail: they go through one server.
    public static let mailLane = "mail"
    /// The lane in which orders wait for a Pinry; their answers go by the way that leads back.
    public static func lane(ofOrdersAt server: Server.ID) -> String { "undo \(server)" }
    /// How long after it came an order is tried, in seconds: chats can be answered for a quarter of an hour or more.
    public static let orderPatience: TimeInterval = 600

    /// What has to be done before there is anything to tell; nil for every other answer.
    public var order: UndoOrder? {
        guard let order = message.envelope.undo, order.outcome == nil else { return nil }
        return order
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
    /// Takes due answers, lane after lane and the longest due first, for as long as until `deadline`, when they are due again.
    ///
    /// Each attempt is counted and committed before they are returned. In one conversation an answer waits for those
    /// that were tried before it, for `ReplyQueue.order` at most.
    func takeReplies(within room: ReplyRoom, now: Date, until deadline: Date) async throws(StoreError) -> [OwedReply]
    /// The answer is given, or never will be; the body of a message that is done goes.
    ///
    /// Throws `.leaseLost` when it was taken again since, or is settled.
    func settle(_ reply: OwedReply, as outcome: ReplyOutcome, now: Date) async throws(StoreError)
    /// What was asked for is done and kept; telling it is due at once, by the way that leads back. Throws `.leaseLost` as
    /// `settle` does.
    func note(_ outcome: UndoOutcome, of reply: OwedReply, now: Date) async throws(StoreError)
    /// It will be tried again. Throws `.leaseLost` as `settle` does.
    func postpone(_ reply: OwedReply, until due: Date, reason: String) async throws(StoreError)
    /// When an answer is due next; nil when none is owed.
    func nextReply() async throws(StoreError) -> Date?
}

extension ReplyQueue {
    /// What an answer waits for the last items, in seconds.
    public static var patience: TimeInterval { 600 }
    /// What an answer waits for an earlier one that cannot be sent, in seconds.
    public static var order: TimeInterval { 900 }

    public func takeReplies(
        upTo limit: Int, now: Date, until deadline: Date
    ) async throws(StoreError) -> [OwedReply] {
        try await takeReplies(within: ReplyRoom(total: limit, perLane: limit), now: now, until: deadline)
    }
}

/// How many answers may be taken.
public struct ReplyRoom: Sendable, Hashable {
    public var total: Int
    /// Whoever comes after this lane, in the order of their names, goes first: nobody is passed over for good.
    public let previous: String
    private let perLane: Int
    /// Lanes in which fewer are possible.
    private var left: [String: Int]

    public init(total: Int, perLane: Int, left: [String: Int] = [:], after previous: String = "") {
        self.total = total
        self.previous = previous
        self.perLane = perLane
        self.left = left
    }

    public func left(in lane: String) -> Int { min(total, left[lane] ?? perLane) }

    /// One more is taken.
    public mutating func take(in lane: String) {
        left[lane] = (left[lane] ?? perLane) - 1
        total -= 1
    }
}

extension Hook {
    /// The lane of answers by this hook: providers have one each, servers that people run themselves have their own.
    public var replyLane: String { settings.apiBase.map { "\(provider) \($0.lowercased())" } ?? provider }
}

extension Message {
    /// What answers have in common that are told in order: the way, and the chat or the sender.
    public var conversation: String {
        let way =
            switch route {
            case .address(let id): id.rawValue
            case .hook(let id): id.rawValue
            case .command: ""
            }
        let places = (envelope.reply?.fields ?? [:]).filter { !ReplyAddress.messageFields.contains($0.key) }
        let place = places.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
        return [way, place, envelope.sender ?? ""].joined(separator: "\n")
    }
}

extension ReplyAddress {
    /// Fields that name one message of a chat rather than the chat.
    fileprivate static let messageFields: Set<String> = ["message", "event", "post", "thread"]
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
    /// Does what the message asked for, and waits for nobody but the Pinry; a repeat says the same.
    func carryOut(_ order: UndoOrder, of reply: OwedReply) async throws(ReplyError) -> UndoOutcome
}

extension ReplyChannel {
    public func carryOut(_: UndoOrder, of _: OwedReply) async throws(ReplyError) -> UndoOutcome {
        throw ReplyError(.withheld, "nothing can be ordered this way")
    }
}

/// An answer was not sent.
public struct ReplyError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// By our own rules: automated mail, a sender who is not trusted, a tenant who wants none.
        case withheld
        /// The other side will not take it, now or later.
        case refused
        /// Worth another attempt: the place where it goes does not answer.
        case unavailable
        /// Worth another attempt, and no sign that other answers by the same way would not arrive: this one has to wait.
        case postponed

        /// Whether it will be tried again.
        public var isTransient: Bool { self == .unavailable || self == .postponed }
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
