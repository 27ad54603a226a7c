internal import PinpostCore

/// A message, as Rocket.Chat sends it; what is uploaded stands in `message`.
struct RocketChatPost {
    let id: String
    let room: String?
    /// By what an allow-list may name room and person.
    let names: [String?]
    /// Whose message it is in this room.
    let author: String?
    /// The first message of the thread; nil outside of threads.
    let thread: String?
    let reasonToIgnore: String?
    private let text: String
    private let message: JSONTree?

    init(_ body: StoredDelivery) throws(HookError) {
        let post = try body.object()
        message = post["message"]
        text = Self.withoutQuotes(
            TriggerWord.removed(
                post["trigger_word"]?.text ?? "", from: post["text"]?.text ?? message?["msg"]?.text ?? ""))
        id = post["message_id"]?.text ?? message?["_id"]?.text ?? ""
        room = post["channel_id"]?.text
        author = (post["user_id"]?.id ?? post["user_name"]?.text).map { [room] in "\(room ?? "") \($0)" }
        thread = post["tmid"]?.text ?? message?["tmid"]?.text
        names = ["channel_id", "channel_name", "user_id", "user_name"].map { post[$0]?.text }
        reasonToIgnore =
            if id.isEmpty {
                "an event that is no message"
            } else if post["bot"]?.flag == true || message?["bot"] != nil {
                "a bot's message"
            } else if post["isEdited"]?.flag == true {
                "an edited message"
            } else if OwnAnswer.isMarked(text) {
                "our own answer"
            } else { nil }
    }

    var isUndo: Bool { UndoWord.isAll(of: text) && message?["file"] == nil && message?["files"] == nil }

    func draft(by hook: Hook.ID) -> Draft {
        var draft = Draft()
        draft.text = text
        for attachment in message?["attachments"]?.elements ?? [] { add(attachment, to: &draft, hook) }
        guard draft.media.isEmpty, draft.imageLinks.isEmpty else { return draft }
        // Older servers describe one file, newer ones several, each with a small copy of it.
        let files = message?["files"]?.elements ?? [message?["file"]].compactMap(\.self)
        for file in files where file["name"]?.text?.hasPrefix("thumb-") != true {
            guard let id = file["_id"]?.text, let name = file["name"]?.text else { continue }
            add("/file-upload/\(FormText.escaped(id))/\(FormText.escaped(name))", file, name: name, to: &draft, hook)
        }
        return draft
    }

    /// A message that quotes others begins with a link without words to each of them: `[ ](LINK)`.
    private static func withoutQuotes(_ text: String) -> String {
        var rest = text[...]
        while rest.hasPrefix("[ ]("), let end = rest.firstIndex(of: ")") {
            rest = rest[end...].dropFirst().drop(while: \.isWhitespace)
        }
        return String(rest)
    }

    private func add(_ attachment: JSONTree, to draft: inout Draft, _ hook: Hook.ID) {
        // A quoted message is somebody else's.
        guard attachment["message_link"] == nil else { return }
        if let text = attachment["description"]?.text {
            draft.text = [draft.text, text].compactMap(\.self).joined(separator: "\n")
        }
        guard let place = attachment["title_link"]?.text ?? attachment["image_url"]?.text else { return }
        add(place, attachment, name: attachment["title"]?.text, to: &draft, hook)
    }

    private func add(
        _ place: String, _ about: JSONTree, name: String?, to draft: inout Draft, _ hook: Hook.ID
    ) {
        let type = about["image_type"]?.text ?? about["type"]?.text.flatMap { $0.contains("/") ? $0 : nil }
        let name = name.flatMap(FileName.clean)
        let isPicture = about["image_url"] != nil || MediaKind.mayBePicture(type: type, name: name)
        guard isPicture else {
            draft.skipped.append(MediaKind.skipped(name: name, type: type))
            return
        }
        if let path = Self.ownPath(place) {
            let count = about["image_size"]?.int ?? about["size"]?.int
            let media = MediaReference(hook: hook, file: path, name: name, type: type, count: count)
            if !draft.media.contains(where: { $0.file == path }) { draft.media.append(media) }
        } else {
            draft.imageLinks.append(place)
        }
    }

    /// The path of an upload, with or without the server's own address before it; nil for any other place.
    private static func ownPath(_ place: String) -> String? {
        let path = place.hasPrefix("/") ? place : ServiceAddress(place)?.path ?? ""
        let isUpload = path.hasPrefix("/file-upload/") || path.hasPrefix("/ufs/")
        guard isUpload, path.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F }) else { return nil }
        return path
    }
}
