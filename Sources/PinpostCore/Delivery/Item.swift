public import FoundationEssentials

/// One picture or one link on its way to becoming one pin.
public struct Item: Sendable, Hashable {
    public typealias ID = Identifier<Item>

    public enum Kind: Sendable, Hashable {
        /// The picture as it came in.
        case image(StoredBytes, name: String?)
        case link(FoundLink)
        /// A picture that still lies with the chat's provider.
        case media(MediaReference)

        /// Preparing it waits for somebody else's site first.
        public var isFetched: Bool {
            switch self {
            case .image: false
            case .link, .media: true
            }
        }
    }

    /// Each step ends with a commit; the next one starts from what it learnt.
    public enum Step: String, Sendable, Codable, CaseIterable, Comparable {
        case prepare, upload, pin, board, done

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    }

    public enum State: String, Sendable, Codable, CaseIterable {
        case ready, running, parked, cancelled, done

        public var isFinal: Bool { self == .parked || self == .cancelled || self == .done }
    }

    public let id: ID
    public let tenant: Tenant.ID
    public let server: Server.ID
    public let message: Message.ID
    /// Place in the message, from 0.
    public let sequence: Int
    public let kind: Kind
    public let draft: PinDraft
    public let step: Step
    public let state: State
    /// Counts this step's attempts; the one under way is included.
    public let attempt: Int
    /// Set while a pin may exist that we did not hear of: the pins have to be read first, and not before this time.
    public let ambiguousUntil: Date?
    public let facts: Facts
    /// Why it is parked or is tried again.
    public let reason: String?
    public let queuedAt: Date

    /// What the steps have learnt so far.
    public struct Facts: Sendable, Hashable {
        /// What will be, or was, uploaded; gone once the item is done.
        public var picture: PreparedPicture?
        public var image: ImageID?
        /// Of the image: a path below the server's address.
        public var thumbnail: String?
        /// The newest pin known when the image was uploaded: our pin cannot be older.
        public var pinFloor: PinID?
        public var pin: PinID?
        /// Where the pin goes, once looked up.
        public var board: BoardID?

        public init(
            picture: PreparedPicture? = nil, image: ImageID? = nil, pinFloor: PinID? = nil, pin: PinID? = nil,
            board: BoardID? = nil
        ) {
            self.picture = picture
            self.image = image
            self.pinFloor = pinFloor
            self.pin = pin
            self.board = board
        }
    }

    public init(
        id: ID, tenant: Tenant.ID, server: Server.ID, message: Message.ID, sequence: Int, kind: Kind, draft: PinDraft,
        step: Step, state: State, attempt: Int, ambiguousUntil: Date?, facts: Facts, reason: String?, queuedAt: Date
    ) {
        self.id = id
        self.tenant = tenant
        self.server = server
        self.message = message
        self.sequence = sequence
        self.kind = kind
        self.draft = draft
        self.step = step
        self.state = state
        self.attempt = attempt
        self.ambiguousUntil = ambiguousUntil
        self.facts = facts
        self.reason = reason
        self.queuedAt = queuedAt
    }
}

extension Item {
    /// Whether another picture may be chosen: a link with a pin of its own, or one whose chosen picture could not be had.
    public var canBeReplaced: Bool {
        guard case .link = kind else { return false }
        switch state {
        case .done: return facts.pin != nil && facts.image != nil
        case .parked: return draft.replacement != nil && facts.pin == nil && ambiguousUntil == nil
        case .ready, .running, .cancelled: return false
        }
    }

    /// A chosen picture is under way: the pin from before is still there.
    public var isReplacing: Bool { draft.replacement != nil && state != .done && state != .cancelled }

    /// Giving it up now would leave two pins, or one that nobody knows of, beside the one to be replaced.
    public var mustConclude: Bool { draft.replacement != nil && (facts.pin != nil || ambiguousUntil != nil) }
}

/// A picture in a form that Pinry takes.
public struct PreparedPicture: Sendable, Hashable {
    public let bytes: StoredBytes
    public let type: PictureType

    public init(bytes: StoredBytes, type: PictureType) {
        self.bytes = bytes
        self.type = type
    }
}

/// What the pin is to say, settled when the message was split.
public struct PinDraft: Sendable, Hashable, Codable {
    public enum Destination: Sendable, Hashable, Codable {
        case none
        case board(BoardID)
        /// The tenant lets messages make boards, and this one does not exist yet.
        case newBoard(named: String)
    }

    public var description: String
    /// `referer` in Pinry: http(s), at most 2,048 characters; nil where there is none.
    public var source: String?
    public var tags: [String]
    /// Asked for by the message or the entrance; a private board makes it true whatever this says.
    public var isPrivate: Bool
    public var destination: Destination
    /// The sender wants the page once more although he has it; nil means no.
    public var isAgain: Bool?
    /// The page behind the link described the pin, because the sender did not; nil means no.
    public var isDescribedByPage: Bool?
    /// Somebody chose another picture for a page that is pinned.
    public var replacement: Replacement?

    public init(
        description: String, source: String? = nil, tags: [String] = [], isPrivate: Bool = false,
        destination: Destination = .none, isAgain: Bool? = nil, replacement: Replacement? = nil
    ) {
        self.description = description
        self.source = source
        self.tags = tags
        self.isPrivate = isPrivate
        self.destination = destination
        self.isAgain = isAgain
        self.replacement = replacement
    }
}

/// An item that the splitter hands to the queue.
public struct NewItem: Sendable, Hashable {
    public let id: Item.ID
    public let sequence: Int
    public let kind: Item.Kind
    public let draft: PinDraft

    public init(id: Item.ID, sequence: Int, kind: Item.Kind, draft: PinDraft) {
        self.id = id
        self.sequence = sequence
        self.kind = kind
        self.draft = draft
    }
}
