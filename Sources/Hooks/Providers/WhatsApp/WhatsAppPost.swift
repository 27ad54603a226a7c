internal import PinpostCore

/// One message of those that WhatsApp sends together.
struct WhatsAppPost {
    static let undoMark = "undo:"

    private let message: JSONTree
    /// Of ours, to which it was sent.
    private let number: String?

    /// The messages of all entries; what became of our own, calls, echoes and the like are none.
    static func posts(in body: JSONTree) -> [WhatsAppPost] {
        let changes = (body["entry"]?.elements ?? []).flatMap { $0["changes"]?.elements ?? [] }
        return changes.filter { $0["field"]?.text ?? "messages" == "messages" }.flatMap { change in
            let number = change["value"]?["metadata"]?["phone_number_id"]?.id
            return (change["value"]?["messages"]?.elements ?? []).map { WhatsAppPost($0, number: number) }
        }
    }

    private init(_ message: JSONTree, number: String?) {
        self.message = message
        self.number = number
    }

    /// As `json` wrote it.
    init(stored: JSONTree) { self.init(stored["message"] ?? .null, number: stored["number"]?.id) }

    var json: String { JSONTree.object(of: ["message": message, "number": number.map { .text($0) }]).json }
    var id: String? { message["id"]?.id }
    var sender: String? { message["from"]?.id }
    var replyTarget: ReplyTarget {
        var fields: [String: String] = [:]
        (fields["number"], fields["to"], fields["message"]) = (number, sender, id)
        return ReplyTarget(fields)
    }

    /// The id of the message that this one answers.
    var answered: String? { message["context"]?["id"]?.id }

    /// Whose message it is, to which number of ours.
    var author: String? { sender.map { "\(number ?? "") \($0)" } }

    /// What a press on Undo, or the word, takes back.
    var undo: UndoWish? {
        if message["type"]?.text == "text", UndoWord.isAll(of: message["text"]?["body"]?.text) { return .newest }

        guard let press = message["interactive"]?["button_reply"]?["id"]?.text, press.hasPrefix(Self.undoMark) else {
            return nil
        }
        return .message(Message.ID(String(press.dropFirst(Self.undoMark.count))))
    }

    var isWorthReading: Bool {
        switch message["type"]?.text {
        case "text", "image", "document", "video", "audio", "voice", "sticker": id != nil
        default: false
        }
    }

    func draft(by hook: Hook.ID) -> Draft {
        var draft = Draft()
        let kind = message["type"]?.text ?? ""
        guard kind != "text" else {
            draft.text = message["text"]?["body"]?.text
            return draft
        }
        let file = message[kind] ?? .null
        draft.text = file["caption"]?.text
        let name = file["filename"]?.text.flatMap(FileName.clean)
        let type = file["mime_type"]?.text
        let isPicture = kind == "image" || kind == "document" && MediaKind.mayBePicture(type: type, name: name)
        if isPicture, let id = file["id"]?.id {
            draft.media = [MediaReference(hook: hook, file: id, name: name, type: type)]
        } else {
            let reason =
                switch kind {
                case "video": "films are not pinned"
                case "sticker": "stickers are not pinned"
                default: "not a picture"
                }
            draft.skipped = [SkippedPart(.file, name: name, type: type, reason: reason)]
        }
        return draft
    }
}
