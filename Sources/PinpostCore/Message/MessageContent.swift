/// What a mail or a payload holds: what would be pinned, and why the rest would not.
///
/// The readers of `Mail` and `Hooks` make it; `explain` prints it; the splitter turns it into items.
public struct MessageContent: Sendable, Hashable {
    public var source: Source
    /// Decoded, white space folded; nil where there is none.
    public var subject: String?
    public var from: String?
    /// As the message has them, in order.
    public var recipients: [String]
    /// Why this looks machine-made (`auto-submitted`, `list`, `bounce` …); nil for a person's message.
    public var automated: String?
    /// Who sent it, as far as somebody whom we trust has checked that; nil where the way in has no such check.
    public var sender: SenderVerdict?
    /// The sender is to be told what became of it, where the way back allows it.
    public var wantsReply = false
    /// It brings nothing and asks for something: that nothing is to be pinned is no news.
    public var isOrder = false
    /// What the sender's own words ask for, see `MessageGrammar`.
    public var wishes: Wishes
    public var items: [FoundItem]
    public var skipped: [SkippedPart]
    /// Keys of the pictures that belong to the layout of the mail, pinned or not: 32 bytes each, equal for the same
    /// picture of the same sender.
    public var layoutPictures: [[UInt8]] = []
    /// Every distinct http(s) link of the text as written, signatures and quotes included.
    public var links: [String]

    public init(
        source: Source, subject: String? = nil, from: String? = nil, recipients: [String] = [],
        automated: String? = nil, wishes: Wishes = Wishes(), items: [FoundItem] = [], skipped: [SkippedPart] = [],
        links: [String] = []
    ) {
        self.source = source
        self.subject = subject
        self.from = from
        self.recipients = recipients
        self.automated = automated
        self.wishes = wishes
        self.items = items
        self.skipped = skipped
        self.links = links
    }
}

/// What is to be said of a pin and where it is to go, as far as the sender wrote it.
public struct Wishes: Sendable, Hashable, Codable {
    /// nil: nothing was written; the name of the picture or the host of the link serves.
    public var description: String?
    /// An http(s) link; nil where none was given.
    public var source: String?
    public var tags: [String]
    /// The name of a board as written, not yet looked up.
    public var board: String?
    /// nil: nothing was said.
    public var isPrivate: Bool?
    /// `again`: a page that is pinned already is pinned once more.
    public var isAgain: Bool?

    public init(
        description: String? = nil, source: String? = nil, tags: [String] = [], board: String? = nil,
        isPrivate: Bool? = nil, isAgain: Bool? = nil
    ) {
        self.description = description
        self.source = source
        self.tags = tags
        self.board = board
        self.isPrivate = isPrivate
        self.isAgain = isAgain
    }
}

/// One picture or link that would become a pin.
public struct FoundItem: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case image(FoundImage)
        case link(FoundLink)
        case media(MediaReference)
    }

    public var kind: Kind
    /// What was said of this item alone; it goes before what was said of the message.
    public var wishes: Wishes

    public init(_ kind: Kind, wishes: Wishes = Wishes()) {
        self.kind = kind
        self.wishes = wishes
    }
}

public struct FoundImage: Sendable, Hashable {
    /// The decoded file name without any path; nil where there is none.
    public var name: String?
    /// By the bytes, never by the label.
    public var type: PictureType
    public var bytes: StoredBytes
    /// Shown in the text rather than attached.
    public var isInline: Bool
    /// How many forwarded messages it is in; 0 for the outer message.
    public var nesting: Int

    public init(name: String?, type: PictureType, bytes: StoredBytes, isInline: Bool = false, nesting: Int = 0) {
        self.name = name
        self.type = type
        self.bytes = bytes
        self.isInline = isInline
        self.nesting = nesting
    }
}

public struct FoundLink: Sendable, Hashable {
    public var url: String
    /// The sender said that this is a picture (`image_url`): no page is looked for, and it is never "already pinned".
    public var isImage: Bool

    public init(url: String, isImage: Bool = false) {
        self.url = url
        self.isImage = isImage
    }
}

/// A part that does not become a pin, with the reason in words for the sender.
public struct SkippedPart: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Codable {
        case image, link, file
    }

    public var kind: Kind
    /// The decoded file name, or the link.
    public var name: String?
    public var type: String?
    public var bytes: Int?
    public var reason: String
    /// The sender wanted it: broken, of a kind that is not taken, over a limit.
    ///
    /// nil for what nobody misses: logos, tracking pixels, what is there twice.
    public var isLoss: Bool?

    public init(
        _ kind: Kind, name: String?, type: String? = nil, bytes: Int? = nil, reason: String, isLoss: Bool = false
    ) {
        self.kind = kind
        self.name = name
        self.type = type
        self.bytes = bytes
        self.reason = reason
        self.isLoss = isLoss ? true : nil
    }
}
