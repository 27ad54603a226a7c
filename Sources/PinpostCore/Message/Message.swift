public import FoundationEssentials

/// The way by which a message came in.
public enum Source: String, Sendable, Codable, CaseIterable {
    case mail, hook, command
}

/// Through which door: it decides the tenant, the board and the defaults.
public enum Route: Sendable, Hashable {
    case address(Address.ID)
    case hook(Hook.ID)
    /// `pinpost pin`, by the admin.
    case command
}

/// What came beside the body: the mail envelope, or the parts of an HTTP request that carry meaning.
public struct Envelope: Sendable, Hashable, Codable {
    /// Mail: the recipient that was matched, with the token left out (`pins+…@example.org`).
    public var recipient: String?
    /// Mail: what followed the token, the slug of a board.
    public var boardSlug: String?
    /// Mail: the envelope sender.
    public var sender: String?
    /// Mail: the watched mailbox in which it was found.
    public var mailbox: WatchedMailbox.ID?
    /// Mail: a person has let it through; the rules about senders do not count any more.
    public var isReleased: Bool?
    /// HTTP: `Content-Type` as sent.
    public var contentType: String?
    /// HTTP: what a repeat under the same `Idempotency-Key` has to be equal to.
    public var fingerprint: String?
    /// HTTP: where the fields of the body stand, as the hook said when it took it; nil where they have our names.
    public var mapping: String?
    /// HTTP: the query items and headers that describe a raw body (title, tags, file name …).
    public var fields: [String: String]
    /// HTTP: whose form the body has; nil for our own.
    public var provider: String?
    /// Chats: where the sender is told what became of it.
    public var reply: ReplyAddress?
    /// Chats: it brings nothing, it takes back what an earlier message brought.
    public var undo: UndoOrder?

    public init(
        recipient: String? = nil, boardSlug: String? = nil, sender: String? = nil, mailbox: WatchedMailbox.ID? = nil,
        contentType: String? = nil, fields: [String: String] = [:], fingerprint: String? = nil,
        mapping: String? = nil, provider: String? = nil, reply: ReplyAddress? = nil
    ) {
        self.fingerprint = fingerprint
        self.mapping = mapping
        self.recipient = recipient
        self.boardSlug = boardSlug
        self.sender = sender
        self.mailbox = mailbox
        self.contentType = contentType
        self.fields = fields
        self.provider = provider
        self.reply = reply
    }
}

/// That somebody wants the pins of a message back; settled when it was received.
public struct UndoOrder: Sendable, Hashable, Codable {
    /// nil: nothing of his was found that could be taken back.
    public var message: Message.ID?
    /// What came of it; nil until it is carried out.
    public var outcome: UndoOutcome?

    public init(message: Message.ID?) { self.message = message }
}

/// What an Undo came to, kept with its order before anybody is told.
public struct UndoOutcome: Sendable, Hashable, Codable {
    /// For the person who asked.
    public let text: String
    /// Nothing is left that could be taken back.
    public let isDone: Bool

    public init(_ text: String, isDone: Bool) { (self.text, self.isDone) = (text, isDone) }
}

/// What somebody wants back; the store settles which message that is when it accepts the order.
public enum UndoTarget: Sendable, Hashable {
    /// The button under an answer says which.
    case message(Message.ID)
    /// The message of that delivery, where it is the author's own: he deleted it. Where there is none nothing is stored.
    case delivery(key: [UInt8], author: [UInt8])
    /// The message of the delivery that the order answers: the author's own, or nothing. Where that is no message of ours,
    /// his newest, in a thread if one is given, of which something is left and that no other order is taking back.
    case newest(author: [UInt8], thread: [UInt8]?, answered: [UInt8]? = nil)
}

/// A place in a chat, by the provider's names, and what opens it for a while.
public struct ReplyAddress: Sendable, Hashable, Codable {
    /// No secrets.
    public var fields: [String: String]
    public var key: SealedSecret?

    public init(fields: [String: String], key: SealedSecret? = nil) {
        self.fields = fields
        self.key = key
    }
}

/// The place of one delivery in an album, whose deliveries become one message.
public struct AlbumPlace: Sendable, Hashable {
    /// SHA-256 of the album's name; equal keys on one route are one album.
    public let key: [UInt8]
    public let position: Int
    /// How many there will be; nil where nobody says.
    public let total: Int?

    /// How long the next one is waited for, and all of them together, in seconds.
    public static let quiet: TimeInterval = 1.5
    public static let longest: TimeInterval = 10
    /// More deliveries than this begin another message.
    public static let mostParts = 100

    public init(key: [UInt8], position: Int, total: Int? = nil) {
        self.key = key
        self.position = position
        self.total = total
    }
}

/// What a source hands over; not yet durable.
public struct ReceivedMessage: Sendable {
    public let id: Message.ID
    public let tenant: Tenant.ID
    public let route: Route
    public let source: Source
    /// Equal keys on one route are the same delivery: SHA-256 over what identifies it; random where nothing does.
    public let deliveryKey: [UInt8]
    public let body: StoredBytes
    public let envelope: Envelope
    public let receivedAt: Date
    /// Other names of the same delivery; one that is known makes it a repeat.
    public let otherKeys: [[UInt8]]
    /// Joins the album's message while that waits; only a body that fits into the row can.
    public let album: AlbumPlace?
    /// Names under which parts of it may have come alone: a message that still waits under one gives way to this one.
    public let claims: [[UInt8]]
    /// How long it gives way to one that claims it, in seconds; above 0 it is a part that came alone.
    public let patience: TimeInterval
    /// Whose Undo takes it back: equal ones on one route are one person in one chat; nil where nobody can say.
    public let author: [UInt8]?
    /// The thread of the chat in which it stands; nil where there is none.
    public let thread: [UInt8]?
    /// What it takes back; nil for a message that brings something.
    public let undo: UndoTarget?

    public init(
        id: Message.ID, tenant: Tenant.ID, route: Route, source: Source, deliveryKey: [UInt8], body: StoredBytes,
        envelope: Envelope, receivedAt: Date, otherKeys: [[UInt8]] = [], album: AlbumPlace? = nil,
        claims: [[UInt8]] = [], patience: TimeInterval = 0, author: [UInt8]? = nil, thread: [UInt8]? = nil,
        undo: UndoTarget? = nil
    ) {
        self.author = author
        self.thread = thread
        self.undo = undo
        self.id = id
        self.tenant = tenant
        self.route = route
        self.source = source
        self.deliveryKey = deliveryKey
        self.body = body
        self.envelope = envelope
        self.receivedAt = receivedAt
        self.otherKeys = otherKeys
        self.album = album
        self.claims = claims
        self.patience = patience
    }
}

/// An album that was closed before its last part came.
public enum ElderAlbum: Sendable, Hashable {
    /// It is being read: nobody knows yet where its pins go.
    case unread
    /// What its first pin says and where it is; `isDescribed` says whether somebody wrote the words.
    case read(PinDraft, isDescribed: Bool)
}

public struct Acceptance: Sendable, Hashable {
    /// The message that holds this delivery: the new one, or the one that an earlier delivery made.
    public let message: Message.ID
    /// Nothing was stored: it is known already, or deletes what is not known.
    public let isRepeat: Bool

    public init(message: Message.ID, isRepeat: Bool) {
        self.message = message
        self.isRepeat = isRepeat
    }
}

/// What one source delivered once, as the store has it.
public struct Message: Sendable, Hashable {
    public typealias ID = Identifier<Message>

    public enum State: String, Sendable, Codable, CaseIterable {
        /// Durable, not yet read.
        case accepted
        /// Its items are on their way.
        case delivering
        /// Every item is final.
        case done
        /// It could not be read; a person has to look.
        case parked
    }

    public let id: ID
    public let tenant: Tenant.ID
    public let route: Route
    public let source: Source
    /// nil once the message is done and no answer is owed: then the bytes go.
    public let body: StoredBytes?
    public let envelope: Envelope
    public let state: State
    /// Why it is parked, or what the sender should know.
    public let reason: String?
    public let skipped: [SkippedPart]
    public let receivedAt: Date
    /// The bodies of an album in its order, this one's own among them; empty for what is none, and once it is done.
    public var album: [StoredBytes] = []
    /// What came of the album of which this is a late part; nil for everything else.
    public var elder: ElderAlbum?
    /// The names of those of its parts that came alone before it and were read: they are not pinned once more.
    public var earlyParts: Set<[UInt8]> = []

    public init(
        id: ID, tenant: Tenant.ID, route: Route, source: Source, body: StoredBytes?, envelope: Envelope, state: State,
        reason: String?, skipped: [SkippedPart], receivedAt: Date
    ) {
        self.id = id
        self.tenant = tenant
        self.route = route
        self.source = source
        self.body = body
        self.envelope = envelope
        self.state = state
        self.reason = reason
        self.skipped = skipped
        self.receivedAt = receivedAt
    }
}
