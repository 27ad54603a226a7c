internal import PinpostCore

/// A mail that a service has taken apart, on its way to a draft.
struct InboundMail {
    /// Of a text what is longer is not read, in bytes.
    static let longestText = 1 << 20
    /// Pictures of the text that are no larger are icons and logos, in bytes.
    private static let largestLogo = 32 << 10

    fileprivate enum File {
        case found(FoundPart, isInline: Bool)
        case media(MediaReference, isInline: Bool)
    }

    var subject = ""
    var text = ""
    /// The text without quotes and signature, where the service cuts them off.
    var ownText = ""
    var html = ""
    /// What the mail says of being made by a machine (RFC 3834), as the header `Auto-Submitted` has it.
    var autoSubmitted = ""
    private var files: [File] = []

    mutating func add(_ part: FoundPart, isInline: Bool = false) { files.append(.found(part, isInline: isInline)) }

    mutating func add(_ media: MediaReference, isInline: Bool = false) {
        files.append(.media(media, isInline: isInline))
    }

    /// What the mail becomes; pictures that are left out are removed from the store.
    func draft(discardingInto intake: Intake) -> Draft {
        var draft = Draft()
        addWords(to: &draft)
        addFiles(to: &draft, intake)
        if autoSubmitted.trimmed.lowercased().hasPrefix("auto-replied") { draft.leaveOutAll(intake) }
        return draft
    }

    // MARK: - Words

    /// As in a mail: the subject describes the pins, else the first paragraph of the sender's own text.
    private func addWords(to draft: inout Draft) {
        let words = OwnWords(of: ownText.trimmed.isEmpty ? plainText : ownText)
        draft.text = words.own
        let subject = SubjectPrefixes.stripped(self.subject)
        let wishes = MessageGrammar.wishes(caption: subject, knownBoards: [])
        if wishes.description != nil {
            draft.description = subject
        } else {
            // The subject has commands alone: they count, and the words come from the text.
            (draft.tags, draft.board) = (wishes.tags, wishes.board)
            (draft.isPrivate, draft.isAgain) = (wishes.isPrivate, wishes.isAgain)
            draft.description =
                MessageGrammar.wishes(subject: nil, ownText: words.own, knownBoards: []).description ?? ""
        }
        guard LinkFinder.links(in: words.own).isEmpty else { return }
        draft.links = LinkFinder.links(in: words.passedOn).map(\.url)
        if draft.links.isEmpty { draft.links = HTMLLinks.links(in: html) }
    }

    private var plainText: String { text.trimmed.isEmpty ? HTMLText.plain(html) : text }

    // MARK: - Files

    private func addFiles(to draft: inout Draft, _ intake: Intake) {
        let hasPhoto = files.contains { $0.isPicture && !$0.isDecoration(upTo: Self.largestLogo) }
        let isAboutLinks = !draft.links.isEmpty || !LinkFinder.links(in: draft.text ?? "").isEmpty
        for file in files {
            guard file.isDecoration(upTo: Self.largestLogo), hasPhoto || isAboutLinks else {
                file.add(to: &draft)
                continue
            }
            let reason = "a small picture of the text"
            switch file {
            case .found(.picture(let image), _):
                draft.skipped.append(FoundItem(.image(image)).skipped(because: reason))
                intake.discard(image)
            case .found(let part, _): draft.add(part)
            case .media(let media, _):
                draft.skipped.append(
                    SkippedPart(.image, name: media.name, type: media.type, bytes: media.count, reason: reason))
            }
        }
    }
}

extension InboundMail.File {
    var isPicture: Bool {
        switch self {
        case .found(.picture, _), .found(.link, _), .media: true
        case .found(.nothing, _), .found(.skipped, _): false
        }
    }

    /// Whether it looks like a part of the layout rather than what somebody wanted to send.
    func isDecoration(upTo limit: Int) -> Bool {
        switch self {
        case .found(.picture(let image), let isInline): isInline && image.bytes.count <= limit
        case .media(let media, let isInline): isInline && media.count ?? 0 <= limit
        case .found: false
        }
    }

    func add(to draft: inout Draft) {
        switch self {
        case .found(let part, _): draft.add(part)
        case .media(let media, _): draft.media.append(media)
        }
    }
}

extension Draft {
    /// An answer that a machine sent: nobody wants to see it pinned.
    fileprivate mutating func leaveOutAll(_ intake: Intake) {
        let reason = "an automatic mail (auto-replied)"
        for image in pictures {
            skipped.append(FoundItem(.image(image)).skipped(because: reason))
            intake.discard(image)
        }
        skipped += media.map { SkippedPart(.image, name: $0.name, type: $0.type, bytes: $0.count, reason: reason) }
        let found = LinkFinder.links(in: text ?? "").map(\.url)
        skipped += (links + imageLinks + found).distinct.map { SkippedPart(.link, name: $0, reason: reason) }
        self = Draft(skipped: skipped)
    }
}
