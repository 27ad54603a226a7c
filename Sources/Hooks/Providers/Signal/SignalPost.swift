internal import FoundationEssentials
internal import PinpostCore

/// What signal-cli has received: a message, or one of the many things that are none.
struct SignalPost {
    private let envelope: JSONTree?
    private let account: String?

    /// With the frame of JSON-RPC or without.
    init(_ body: JSONTree) {
        let frame = body["params"] ?? body
        // A subscription's result stands one level deeper.
        let content = frame["result"] ?? frame
        envelope = content["envelope"]
        account = content["account"]?.id
    }

    var isSignal: Bool { envelope != nil }

    /// A message to us, or a note that somebody wrote to himself on another of his devices.
    private var message: JSONTree? {
        if let message = envelope?["dataMessage"], case .object = message { return message }
        guard let sent = envelope?["syncMessage"]?["sentMessage"], sent["editMessage"] == nil else { return nil }
        let target = sent["destinationNumber"]?.id ?? sent["destination"]?.id
        return target != nil && target == account ? sent : nil
    }

    private var source: String? { (envelope?["sourceNumber"] ?? envelope?["source"])?.id ?? sourceID }
    private var sourceID: String? { envelope?["sourceUuid"]?.id }
    private var group: String? { message?["groupInfo"]?["groupId"]?.id }

    /// Of person and time: Signal has no other.
    var id: String? {
        guard let source, let time = (message?["timestamp"] ?? envelope?["timestamp"])?.id else { return nil }
        return Self.id(of: source, at: time)
    }

    private static func id(of person: String, at time: String) -> String { "\(person) \(time)" }

    /// By what an allow-list may name person and group.
    var names: [String?] { [source, sourceID, group] }

    /// Whose message it is in this place.
    var author: String? { source.map { "\(group ?? "") \($0)" } }
    var isUndo: Bool {
        message?["attachments"]?.elements.isEmpty ?? true && UndoWord.isAll(of: message?["message"]?.text)
    }

    /// "Delete for everyone": the id of what was deleted.
    var deleted: String? {
        guard let source, let time = message?["remoteDelete"]?["timestamp"]?.id else { return nil }
        return Self.id(of: source, at: time)
    }

    /// The id of the message that is quoted above this one.
    var answered: String? {
        guard let quote = message?["quote"], let time = quote["id"]?.id,
            let person = quote["authorNumber"]?.id ?? quote["author"]?.id ?? quote["authorUuid"]?.id
        else { return nil }
        return Self.id(of: person, at: time)
    }

    var isWorthReading: Bool {
        guard let message, message["reaction"] == nil, message["remoteDelete"] == nil else {
            return false
        }
        let text = message["message"]?.text ?? ""
        return !OwnAnswer.isMarked(text)
            && (!text.isEmpty || message["attachments"]?.elements.isEmpty == false
                || message["previews"]?.elements.isEmpty == false || message["sticker"]?["packId"] != nil)
    }

    var replyTarget: ReplyTarget? {
        guard let account, let to = group.map(Self.groupAddress) ?? source else { return nil }
        return ReplyTarget(["account": account, "to": to])
    }

    func draft(by hook: Hook.ID) -> Draft {
        var draft = Draft()
        guard let message else { return draft }
        // A person who is mentioned is a mark in the text (U+FFFC) and a number beside it.
        draft.text = message["message"]?.text?.replacing("\u{FFFC}", with: "").trimmed
        draft.links = (message["previews"]?.elements ?? []).compactMap { $0["url"]?.text }
        let isFleeting = message["viewOnce"]?.flag == true
        for file in message["attachments"]?.elements ?? [] {
            let name = file["filename"]?.text.flatMap(FileName.clean)
            let (type, count) = (file["contentType"]?.text, file["size"]?.int)
            guard MediaKind.mayBePicture(type: type, name: name), let id = file["id"]?.id else {
                draft.skipped.append(MediaKind.skipped(name: name, type: type, count: count))
                continue
            }
            guard !isFleeting else {
                let reason = "it was sent to be seen once"
                draft.skipped.append(SkippedPart(.image, name: name, type: type, bytes: count, reason: reason))
                continue
            }
            draft.media.append(MediaReference(hook: hook, file: id, name: name, type: type, count: count))
            if let caption = file["caption"]?.text {
                draft.text = [draft.text, caption].compactMap(\.self).joined(separator: "\n")
            }
        }
        return draft
    }

    /// The name by which the program knows a group when it sends.
    private static func groupAddress(_ group: String) -> String {
        "group." + Data(Array(group.utf8)).base64EncodedString()
    }
}
