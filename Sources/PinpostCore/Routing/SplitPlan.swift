/// What becomes of a message's content: pure, so that `explain` and the splitter decide alike.
public struct SplitPlan: Sendable, Hashable {
    public var items: [NewItem] = []
    public var skipped: [SkippedPart]
    /// What the sender should know, for example that a board does not exist.
    public var note: String?

    /// The things that decide beside the content.
    public struct Circumstances: Sendable {
        public var tenant: Tenant
        public var defaults: EntranceDefaults
        /// From a mail address `TOKEN.board`.
        public var boardSlug: String?
        /// The tenant's own boards.
        public var boards: [Board]
        /// What the album's other pins say, for a part of it that came late.
        public var elder: ElderAlbum?

        public init(tenant: Tenant, defaults: EntranceDefaults, boardSlug: String? = nil, boards: [Board]) {
            self.tenant = tenant
            self.defaults = defaults
            self.boardSlug = boardSlug
            self.boards = boards
        }
    }

    public init(
        _ content: MessageContent, in circumstances: Circumstances, makeID: () -> Item.ID
    ) {
        skipped = content.skipped
        let limit = circumstances.tenant.preferences.itemsPerMessage
        for (sequence, found) in content.items.prefix(limit).enumerated() {
            let draft = draft(for: found, of: content, in: circumstances)
            items.append(NewItem(id: makeID(), sequence: sequence, kind: found.itemKind, draft: draft))
        }
        for found in content.items.dropFirst(limit) {
            skipped.append(found.skipped(because: "over the limit of \(limit) items in one message", isLoss: true))
        }
        if items.isEmpty, !content.isOrder { note = "There was no picture and no link to pin." }
    }

    /// Whether a board was asked for that is not among the known ones: they may be out of date.
    static func misses(_ content: MessageContent, in circumstances: Circumstances) -> Bool {
        let wishes = [content.wishes.board] + content.items.map(\.wishes.board)
        let missing = wishes.compactMap { $0 }.contains { circumstances.boards.chosen(by: $0) == nil }
        return missing || circumstances.boardSlug.map { circumstances.boards.matching(slug: $0) == nil } ?? false
    }

    private mutating func draft(
        for found: FoundItem, of content: MessageContent, in circumstances: Circumstances
    ) -> PinDraft {
        let defaults = circumstances.defaults
        let isPrivate = found.wishes.isPrivate ?? content.wishes.isPrivate ?? false
        let words = found.wishes.description ?? content.wishes.description
        let draft = PinDraft(
            description: words ?? found.defaultDescription,
            source: (found.wishes.source ?? content.wishes.source ?? found.defaultSource)
                .flatMap(SignedLink.published),
            tags: Self.merged(defaults.tags, content.wishes.tags, found.wishes.tags),
            isPrivate: defaults.isPrivate || isPrivate,
            destination: destination(for: found.wishes.board ?? content.wishes.board, in: circumstances),
            isAgain: found.wishes.isAgain ?? content.wishes.isAgain)
        guard case .read(let elder, let isDescribed)? = circumstances.elder else { return draft }
        return Self.joined(
            draft, elder, takesWords: words == nil && isDescribed,
            takesBoard: found.wishes.board ?? content.wishes.board == nil)
    }

    /// A late part of an album says what the others say, and stands beside them, unless its own words say otherwise.
    private static func joined(
        _ draft: PinDraft, _ elder: PinDraft, takesWords: Bool, takesBoard: Bool
    ) -> PinDraft {
        var joined = draft
        if takesWords { joined.description = elder.description }
        if takesBoard { joined.destination = elder.destination }
        joined.source = draft.source ?? elder.source
        joined.tags = merged(elder.tags, draft.tags)
        joined.isPrivate = draft.isPrivate || elder.isPrivate
        return joined
    }

    /// The board that was asked for, or the default where it does not exist; the note says so.
    private mutating func destination(
        for wish: String?, in circumstances: Circumstances
    ) -> PinDraft.Destination {
        let fallback = circumstances.defaults.board ?? circumstances.tenant.board
        let standard = fallback.map { PinDraft.Destination.board($0.id) } ?? .none
        if let wish, !wish.isEmpty {
            if let board = circumstances.boards.chosen(by: wish) { return .board(board.id) }
            if circumstances.tenant.preferences.createsBoards { return .newBoard(named: wish) }
            note = Self.note(missing: wish, fallback: fallback)
        } else if let slug = circumstances.boardSlug {
            if let board = circumstances.boards.matching(slug: slug) { return .board(board.id) }
            note = Self.note(missing: slug, fallback: fallback)
        }
        return standard
    }

    private static func note(missing name: String, fallback: Board?) -> String {
        let place = fallback.map { "on the board “\($0.name)” instead" } ?? "on no board"
        return "There is no board “\(name)”; the pins are \(place)."
    }

    /// In order, each tag once.
    private static func merged(_ lists: [String]...) -> [String] {
        var seen: Set<String> = []
        return lists.joined().filter { seen.insert($0).inserted }
    }
}

extension FoundItem {
    var itemKind: Item.Kind {
        switch kind {
        case .image(let image): .image(image.bytes, name: image.name)
        case .link(let link): .link(link)
        case .media(let media): .media(media)
        }
    }

    /// What is said where the item does not become a pin.
    public func skipped(because reason: String, isLoss: Bool = false) -> SkippedPart {
        switch kind {
        case .image(let image):
            SkippedPart(
                .image, name: image.name, type: image.type.mimeType, bytes: image.bytes.count, reason: reason,
                isLoss: isLoss)
        case .link(let link): SkippedPart(.link, name: link.url, reason: reason, isLoss: isLoss)
        case .media(let media):
            SkippedPart(
                .image, name: media.name, type: media.type, bytes: media.count, reason: reason, isLoss: isLoss)
        }
    }

    /// A link is its own source; a picture has none.
    var defaultSource: String? {
        switch kind {
        case .image, .media: nil
        case .link(let link): link.url
        }
    }

    /// What the pin says where nobody said anything.
    public var defaultDescription: String { itemKind.defaultDescription }
}
