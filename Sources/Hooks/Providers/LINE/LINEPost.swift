internal import PinpostCore

/// One event of those that LINE sends together.
struct LINEPost {
    static let undoMark = "undo:"

    private let event: JSONTree
    private var message: JSONTree { event["message"] ?? .null }
    private var source: JSONTree { event["source"] ?? .null }

    init(_ event: JSONTree) { self.event = event }

    var json: String { event.json }
    var id: String? { event["webhookEventId"]?.id }
    var messageID: String? { message["id"]?.id }
    static func name(ofMessage id: String) -> String { "message \(id)" }
    /// By what an allow-list may name person, group and room.
    var names: [String?] { ["userId", "groupId", "roomId"].map { source[$0]?.id } }

    /// In `standby` another program of the same channel answers.
    var isWorthReading: Bool {
        event["type"]?.text == "message" && event["mode"]?.text ?? "active" == "active" && messageID != nil
            && ["text", "image", "file", "video", "audio", "sticker"].contains(message["type"]?.text)
    }

    var replyTarget: ReplyTarget {
        ReplyTarget(key: event["replyToken"]?.id.map { Secret(copying: Array($0.utf8)) })
    }

    /// Pictures that were sent together; there are as many deliveries as pictures.
    var album: MessageGroup? {
        guard let set = message["imageSet"], let id = set["id"]?.id, let total = set["total"]?.int, total > 1 else {
            return nil
        }
        let place = names.lazy.compactMap(\.self).first ?? ""
        return MessageGroup(key: "\(place) \(id)", position: set["index"]?.int ?? 0, total: total)
    }

    /// The name of the message that this one quotes.
    var answered: String? { message["quotedMessageId"]?.id.map(Self.name(ofMessage:)) }

    /// Whose message it is in this place.
    var author: String? { names.compactMap(\.self).isEmpty ? nil : names.map { $0 ?? "" }.joined(separator: " ") }

    /// What a press on Undo, the word, or "unsend" takes back.
    var undo: UndoWish? {
        if event["type"]?.text == "unsend", author != nil, let deleted = event["unsend"]?["messageId"]?.id {
            return .delivery(Self.name(ofMessage: deleted))
        }
        if message["type"]?.text == "text", isWorthReading, UndoWord.isAll(of: message["text"]?.text) { return .newest }

        guard event["type"]?.text == "postback", let data = event["postback"]?["data"]?.text,
            data.hasPrefix(Self.undoMark)
        else { return nil }
        return .message(Message.ID(String(data.dropFirst(Self.undoMark.count))))
    }

    func draft(by hook: Hook.ID) -> Draft {
        var draft = Draft()
        let kind = message["type"]?.text
        let name = message["fileName"]?.text.flatMap(FileName.clean)
        switch kind {
        case "text": draft.text = message["text"]?.text
        case "image": addPicture(to: &draft, hook)
        case "file" where MediaKind.mayBePicture(type: nil, name: name): addFile(name, to: &draft, hook)
        default:
            let reason =
                switch kind {
                case "video": "films are not pinned"
                case "sticker": "stickers are not pinned"
                default: "not a picture"
                }
            draft.skipped = [SkippedPart(.file, name: name, bytes: message["fileSize"]?.int, reason: reason)]
        }
        return draft
    }

    private func addPicture(to draft: inout Draft, _ hook: Hook.ID) {
        // From elsewhere, where everybody may look.
        if message["contentProvider"]?["type"]?.text == "external",
            let url = message["contentProvider"]?["originalContentUrl"]?.text
        {
            draft.imageLinks = [url]
        } else {
            addFile(nil, to: &draft, hook)
        }
    }

    private func addFile(_ name: String?, to draft: inout Draft, _ hook: Hook.ID) {
        guard let id = messageID else { return }
        draft.media = [MediaReference(hook: hook, file: id, name: name, count: message["fileSize"]?.int)]
    }
}
