internal import PinpostCore

/// An event of a room (spec.matrix.org, Client-Server API, `m.room.message`).
struct MatrixPost {
    private let event: JSONTree
    private var content: JSONTree { event["content"] ?? .null }

    init(_ event: JSONTree) { self.event = event }

    var id: String? { event["event_id"]?.id }
    var room: String? { event["room_id"]?.id }
    var sender: String? { event["sender"]?.id }

    /// nil for a person's new message, and for one that is taken back; `own` is our own user.
    func reasonToIgnore(own: String?) -> String? {
        let kind = event["type"]?.text
        if redacted != nil { return own != nil && own == sender ? "our own message" : nil }
        if kind == "m.room.encrypted" { return "an encrypted message, which nobody can read here" }
        guard kind == "m.room.message" else { return "no message" }
        // Programs speak in notices, and do not answer them.
        if content["msgtype"]?.text == "m.notice" { return "a program's notice" }
        if content["m.relates_to"]?["rel_type"]?.text == "m.replace" { return "an edited message" }
        if content["msgtype"] == nil { return "a message that was taken back" }
        if let own, own == sender { return "our own message" }
        return nil
    }

    /// Whose message it is in this room.
    var author: String? { sender.map { "\(room ?? "") \($0)" } }

    /// The first event of the thread (version 1.4 of the specification); nil outside of threads.
    var thread: String? {
        let relation = content["m.relates_to"]
        return relation?["rel_type"]?.text == "m.thread" ? relation?["event_id"]?.id : nil
    }

    /// The event that this one answers; in a thread clients that know none are told its last one.
    var answered: String? {
        let relation = content["m.relates_to"]
        guard thread == nil || relation?["is_falling_back"]?.flag != true else { return nil }
        return relation?["m.in_reply_to"]?["event_id"]?.id
    }

    /// The event that this one takes back; nil where it takes back nothing.
    private var redacted: String? {
        guard event["type"]?.text == "m.room.redaction" else { return nil }
        // Since version 11 of rooms it stands in the content.
        return event["redacts"]?.id ?? content["redacts"]?.id
    }

    /// A redaction; or a message, or an answer to one, that says nothing but the word.
    var undo: UndoWish? {
        if let redacted { return .delivery(redacted) }
        return content["msgtype"]?.text == "m.text" && UndoWord.isAll(of: withoutFallback(content["body"]?.text ?? ""))
            ? .newest : nil
    }

    /// nil without a token to answer with.
    func replyTarget(with access: ProviderAccess) -> ReplyTarget? {
        guard access.token != nil, access.settings.apiBase != nil, let room, let id = redacted ?? id else { return nil }
        return ReplyTarget(["room": room, "event": id])
    }

    func draft(by hook: Hook.ID) -> Draft {
        var draft = Draft()
        let body = content["body"]?.text ?? ""
        switch content["msgtype"]?.text {
        case "m.image", "m.file", "m.video", "m.audio":
            addFile(to: &draft, hook)
            // With a name beside it, the text is a caption (version 1.10 of the specification).
            if let name = content["filename"]?.text, name != body { draft.text = body }
        default: draft.text = withoutFallback(body)
        }
        return draft
    }

    /// `mxc://SERVER/ID`, both without anything that would change an address.
    static func mediaName(_ url: String) -> (server: String, id: String)? {
        guard url.hasPrefix("mxc://") else { return nil }
        let parts = url.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
            parts[0].utf8.allSatisfy({ $0.isLetterOrDigit || "-.:[]".utf8.contains($0) }),
            parts[1].utf8.allSatisfy({ $0.isLetterOrDigit || "-_".utf8.contains($0) })
        else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    private func addFile(to draft: inout Draft, _ hook: Hook.ID) {
        let info = content["info"]
        let type = info?["mimetype"]?.text
        let name = (content["filename"]?.text ?? content["body"]?.text).flatMap(FileName.clean)
        let count = info?["size"]?.int
        let isPicture = content["msgtype"]?.text == "m.image" || MediaKind.mayBePicture(type: type, name: name)
        guard isPicture else {
            draft.skipped.append(MediaKind.skipped(name: name, type: type, count: count))
            return
        }
        guard content["file"] == nil else {
            let reason = "the file is encrypted; use hookshot's outbound webhook, which decrypts it"
            draft.skipped.append(SkippedPart(.image, name: name, type: type, bytes: count, reason: reason))
            return
        }
        guard let url = content["url"]?.text, Self.mediaName(url) != nil else {
            draft.skipped.append(SkippedPart(.image, name: name, type: type, bytes: count, reason: "it has no address"))
            return
        }
        draft.media.append(MediaReference(hook: hook, file: url, name: name, type: type, count: count))
    }

    /// Without the quote that older clients put before a reply.
    private func withoutFallback(_ body: String) -> String {
        guard content["m.relates_to"]?["m.in_reply_to"] != nil, body.hasPrefix("> ") else { return body }
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0.hasPrefix(">") }.joined(separator: "\n").trimmed
    }
}
