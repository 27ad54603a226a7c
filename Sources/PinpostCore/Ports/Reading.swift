public import FoundationEssentials

/// Turns the stored body of a message into what it holds; the pictures go to the blob store.
public protocol MessageReader: Sendable {
    /// Reads the whole message; a leading `[Name]` counts only where `knownBoards` has such a name.
    func read(_ message: Message, knownBoards: [String]) async throws(ReadingError) -> MessageContent
}

/// Remembers which pictures come with every mail of a sender: the logos of his signature.
public protocol PictureHabits: Sendable {
    /// Keys of the pictures that several earlier messages of the tenant had in their layout.
    func usualPictures(of tenant: Tenant.ID, besides message: Message.ID) async throws(StoreError) -> Set<[UInt8]>
    /// Notes the keys of a message, once however often it is read.
    func note(_ pictures: [[UInt8]], of message: Message.ID, from tenant: Tenant.ID, now: Date) async throws(StoreError)
}

/// A message cannot be read.
public struct ReadingError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// Not what it says it is, or built to hurt; reading it again changes nothing.
        case unreadable
        /// The disk is full, or a file cannot be opened now.
        case unavailable
        /// The disk gives errors instead of bytes: for a moment, or where this body lies for good.
        case failing
    }

    public let code: Code
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The store stood in the way of reading.
    public init(_ error: StoreError) {
        self.init(
            error.code == .failing ? .failing : error.isTransient ? .unavailable : .unreadable, error.description)
    }
}

/// Finds the picture that stands for a link.
public protocol LinkPictures: Sendable {
    func picture(of link: FoundLink) async throws(LinkError) -> LinkPicture
    /// The picture at an address that somebody chose among those of `page`; nothing else will do.
    func picture(at address: String, from page: String) async throws(LinkError) -> StoredBytes
}

/// Fetches pictures that still lie with a chat's provider, with the credentials of the hook by which they came.
public protocol ProviderFiles: Sendable {
    func file(_ media: MediaReference, of tenant: Tenant.ID) async throws(LinkError) -> StoredBytes
}

/// For those who know no providers.
public struct NoProviderFiles: ProviderFiles {
    public init() {}

    public func file(_: MediaReference, of _: Tenant.ID) async throws(LinkError) -> StoredBytes {
        throw LinkError(.refused, "The files of chats are not fetched here.")
    }
}

/// What a link gives: a picture or a card, and the words of its page.
public struct LinkPicture: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// The bytes of a picture; not converted yet.
        case image(StoredBytes)
        /// There is none: draw this.
        case card(CardText)
    }

    public var content: Content
    /// For a pin whose sender wrote nothing.
    public var description: String?
    /// The page's own address where the link is a copy made for phones (AMP).
    public var canonical: String?
    /// Every picture that the page offered, the best first.
    public var candidates: [OfferedPicture]
    /// Why there is only a card, for the sender.
    public var note: String?
    /// Why there may be a picture later: the card is for when that does not help either.
    public var obstacle: LinkError?

    public init(
        _ content: Content, description: String? = nil, canonical: String? = nil, candidates: [OfferedPicture] = [],
        note: String? = nil, obstacle: LinkError? = nil
    ) {
        self.content = content
        self.obstacle = obstacle
        self.description = description
        self.canonical = canonical
        self.candidates = candidates
        self.note = note
    }
}

/// What the item keeps of the page behind its link.
public struct PageNotes: Sendable, Hashable {
    /// With the page's words where the sender wrote none.
    public var draft: PinDraft
    public var candidates: [OfferedPicture]
    /// What the sender should know once it is pinned.
    public var note: String?

    public init(draft: PinDraft, candidates: [OfferedPicture] = [], note: String? = nil) {
        self.draft = draft
        self.candidates = candidates
        self.note = note
    }
}

/// What a tenant has pinned before.
public protocol PinMemory: Sendable {
    /// Whether the tenant has pinned the page of this item already, or is about to by an earlier message.
    ///
    /// Only page links count, never pictures; nil for an item whose page is new.
    func earlierPin(ofPageIn item: Item) async throws(StoreError) -> EarlierPin?
    /// That pin of the item's page is not in Pinry any more: no item of the tenant names it from now on.
    func forget(_ pin: PinID, ofPageIn item: Item) async throws(StoreError)
}

public enum EarlierPin: Sendable, Hashable {
    case pinned(PinID)
    case underway
}

/// A link gives neither picture nor card.
public struct LinkError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// Forbidden by the egress rules.
        case refused
        /// The sender promised a picture, and there is none.
        case noPicture
        case tooLarge
        /// The other side or the network fails: worth another attempt.
        case failed
        /// Our own disk or decoder fails.
        case unavailable
        /// We have asked that host enough for the moment; no attempt is counted.
        case busy
    }

    public let code: Code
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}
