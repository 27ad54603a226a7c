internal import PinpostCore

/// A message of a channel, or the words behind `/pin`.
struct SlackPost {
    private let words: SlackText
    private let files: [JSONTree]
    /// What counts where there are neither links in the words nor files.
    private let shown: SlackShown?
    private let channel: String?

    init?(_ message: JSONTree) {
        guard case .object = message else { return nil }
        let shown = SlackShown(message)
        channel = message["channel"]?.id
        words = SlackText(message["text"]?.text ?? "")
        files = (message["files"]?.elements ?? []) + shown.files
        self.shown = shown
    }

    /// An event that names a file by its id, or brings a message.
    init?(event: JSONTree) {
        guard event["type"]?.text == "file_shared" else {
            self.init(event)
            return
        }
        self.init(.object(["files": .array(event["file_id"].map { [.object(["id": $0])] } ?? [])]))
    }

    init(words: String) {
        self.words = SlackText(words)
        (files, shown, channel) = ([], nil, nil)
    }

    /// By which their own events name them.
    var fileIDs: [String] { files.prefix(Self.mostFiles).compactMap { $0["id"]?.id } }

    var isUndo: Bool { files.isEmpty && words.links.isEmpty && UndoWord.isAll(of: words.text) }

    private var links: [String] { words.links.filter { !SlackShown.isMessage($0) } }
    private var hasOwn: Bool { !files.isEmpty || !links.isEmpty || !LinkFinder.links(in: words.text).isEmpty }

    /// Whether anything in it may become a pin; people talk much in channels.
    var hasSomething: Bool { hasOwn || shown?.links.isEmpty == false || shown?.pictures.isEmpty == false }

    /// What a file that was shared in a channel is called in its own event as well as in its message's.
    static func name(ofFile id: String, in channel: String) -> String { "file \(channel) \(id)" }

    func draft(of delivery: StoredDelivery) -> Draft {
        var draft = Draft()
        draft.text = words.text.isEmpty ? shown?.text : words.text
        draft.links = links
        if !hasOwn, let shown {
            (draft.links, draft.imageLinks, draft.source) = (shown.links, shown.pictures, shown.source)
        }
        draft.skipped += words.links.filter(SlackShown.isMessage).map {
            SkippedPart(.link, name: $0, reason: "a message of Slack, which only its members see")
        }
        for file in files.prefix(Self.mostFiles) {
            if let channel, let id = file["id"]?.id, delivery.cameEarly(Self.name(ofFile: id, in: channel)) {
                draft.leaveEarly(name: file["name"]?.text.flatMap(FileName.clean), type: file["mimetype"]?.text)
            } else {
                add(file, by: delivery.hook, to: &draft)
            }
        }
        return draft
    }

    private static let mostFiles = 100

    private func add(_ file: JSONTree, by hook: Hook.ID, to draft: inout Draft) {
        let name = file["name"]?.text.flatMap(FileName.clean)
        let type = file["mimetype"]?.text
        func skip(_ reason: String) {
            draft.skipped.append(SkippedPart(.file, name: name, type: type, bytes: file["size"]?.int, reason: reason))
        }
        if let mode = file["mode"]?.text, ["tombstone", "hidden_by_limit"].contains(mode) {
            return skip("the file is gone from Slack")
        }
        guard MediaKind.mayBePicture(type: type, name: name) else {
            return draft.skipped.append(MediaKind.skipped(name: name, type: type, count: file["size"]?.int))
        }
        // A file that is shared from another workspace has no address yet: it is asked for by its id.
        guard let place = file["url_private_download"]?.text ?? file["url_private"]?.text ?? file["id"]?.text else {
            return skip("Slack gives no way to the file")
        }
        if place.contains("://"), !SlackProvider.isSlack(place), file["is_external"]?.flag == true {
            return skip("the file lies outside of Slack")
        }
        draft.media.append(
            MediaReference(hook: hook, file: place, name: name, type: type, count: file["size"]?.int))
    }
}
