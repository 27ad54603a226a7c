internal import PinpostCore

/// Turns what a payload said into what would be pinned.
struct Assembly {
    /// nil: only what is there counts, and nobody asks what was said of it.
    let knownBoards: [String]?
    /// A chat's message may have nothing to pin: its sender is told so.
    var takesNothing = false

    /// - Throws: `.nothingUsable` when there is no picture and no link.
    func content(of payload: Payload) throws(HookError) -> MessageContent {
        var content = MessageContent(source: .hook, subject: payload.main.title)
        let main = judge(payload.main)
        content.wishes = main.wishes
        content.add(main, wishes: Wishes())
        for item in payload.items {
            let judged = judge(item)
            content.add(judged, wishes: judged.wishes)
        }
        guard takesNothing || !content.items.isEmpty else { throw Self.nothing(content.skipped) }
        return content
    }

    private func judge(_ draft: Draft) -> JudgedDraft {
        let wording = Wording(draft)
        let wishes = knownBoards.map { wording.wishes(knownBoards: $0) } ?? Wishes()
        var judged = JudgedDraft(wishes: wishes, skipped: draft.skipped, isCounted: knownBoards == nil)
        judged.links = judged.checked(draft.links + wording.links)
        judged.imageLinks = judged.checked(draft.imageLinks)
        judged.pictures = draft.pictures
        judged.media = draft.media
        let click = draft.click.flatMap { judged.checked([$0]).first }
        judged.wishes.source = draft.source.flatMap { judged.checked([$0]).first } ?? wishes.source
        if judged.isEmpty {
            judged.links = [click].compactMap { $0 }
        } else {
            judged.wishes.source = judged.wishes.source ?? click
        }
        judged.wishes.board = draft.board ?? wishes.board
        judged.wishes.tags = (draft.tags + wishes.tags).distinct
        judged.wishes.isPrivate = draft.isPrivate ?? wishes.isPrivate
        judged.wishes.isAgain = draft.isAgain ?? wishes.isAgain
        if let first = judged.pictures.firstIndex(where: { $0.name == nil }) {
            judged.pictures[first].name = draft.fileName
        }
        judged.letPicturesWin(orEarlyOnes: draft.hasEarlyPictures)
        return judged
    }

    private static func nothing(_ skipped: [SkippedPart]) -> HookError {
        var detail =
            "There is nothing to pin. Send JSON with url, image_url or image (base64), a form with the same fields, "
            + "multipart/form-data with files, a picture as the body, or plain text with a link."
        for part in skipped.prefix(5) { detail += " Skipped \(part.name ?? part.kind.rawValue): \(part.reason)." }
        return HookError(.nothingUsable, detail)
    }
}

/// One object of a payload, after it was decided what counts.
private struct JudgedDraft {
    var wishes: Wishes
    var skipped: [SkippedPart]
    /// Nobody asks where the links lead in the end, only how many there are.
    var isCounted: Bool
    var pictures: [FoundImage] = []
    var media: [MediaReference] = []
    var imageLinks: [String] = []
    var links: [String] = []
    /// Where the pictures come from, by the only link beside them.
    var pictureSource: String?

    /// The links that can be links, each once; the others are reported.
    mutating func checked(_ candidates: [String]) -> [String] {
        var links: [String] = []
        for candidate in candidates {
            if let link = WebLink.checked(candidate) {
                links.append(link)
            } else {
                let name = String(candidate.prefix(200))
                skipped.append(SkippedPart(.link, name: name, reason: "not a link with http or https"))
            }
        }
        return links.distinct
    }

    /// Beside pictures a link is no pin of its own: the only one says where they come from.
    mutating func letPicturesWin(orEarlyOnes hasEarlyOnes: Bool) {
        guard !pictures.isEmpty || !media.isEmpty || !imageLinks.isEmpty || hasEarlyOnes else { return }
        if wishes.source == nil, links.count == 1 {
            pictureSource = PageLink.cleaned(links[0])
        } else {
            let reason = "a message with pictures pins the pictures"
            skipped += links.filter { $0 != wishes.source }.map { SkippedPart(.link, name: $0, reason: reason) }
        }
        links = []
    }

    var isEmpty: Bool { pictures.isEmpty && media.isEmpty && imageLinks.isEmpty && links.isEmpty }

    var kinds: [FoundItem.Kind] {
        pictures.map { .image($0) } + media.map { .media($0) }
            + imageLinks.map { .link(FoundLink(url: $0, isImage: true)) }
            + links.map { .link(FoundLink(url: isCounted ? $0 : PageLink.cleaned($0))) }
    }
}

extension MessageContent {
    fileprivate mutating func add(_ judged: JudgedDraft, wishes: Wishes) {
        var wishes = wishes
        wishes.source = wishes.source ?? judged.pictureSource
        items += judged.kinds.map { FoundItem($0, wishes: wishes) }
        skipped += judged.skipped
        links = (links + judged.imageLinks + judged.links + [judged.pictureSource].compactMap { $0 }).distinct
    }
}
