internal import PinpostCore

/// A new message of a chat or a channel.
struct TelegramPost {
    private let message: JSONTree
    /// The chat's number, as text.
    let chat: String
    /// Of the message in its chat.
    let number: Int

    /// nil for edited messages and everything else.
    init?(_ update: JSONTree) {
        guard let message = update["message"] ?? update["channel_post"], let chat = message["chat"]?["id"]?.int,
            let number = message["message_id"]?.int
        else { return nil }
        self.message = message
        self.chat = String(chat)
        self.number = number
    }

    var sender: String? { (message["from"] ?? message["sender_chat"])?["id"]?.id }
    /// Whose message it is in this chat.
    var author: String? { sender.map { "\(chat) \($0)" } }
    var isPrivate: Bool { message["chat"]?["type"]?.text == "private" }

    /// By what the post is known beside its update: its place, and the channel's post of which Telegram put this
    /// copy into the channel's group.
    var places: [String] {
        let place = Self.place(chat, number)
        guard message["is_automatic_forward"]?.flag == true, let origin = message["forward_origin"],
            let channel = origin["chat"]?["id"]?.int, let original = origin["message_id"]?.int
        else { return [place] }
        return [place, Self.place(String(channel), original)]
    }

    private static func place(_ chat: String, _ number: Int) -> String { "message \(chat) \(number)" }

    /// The place of the message that this one answers; in a topic every message names the topic's beginning.
    var answered: String? {
        guard let original = message["reply_to_message"], original["forum_topic_created"] == nil else { return nil }
        return original["message_id"]?.int.map { Self.place(chat, $0) }
    }

    /// In a group with topics.
    var topic: String? {
        message["is_topic_message"]?.flag == true ? message["message_thread_id"]?.int.map(String.init) : nil
    }

    /// The album: one update for each picture.
    var album: MessageGroup? {
        message["media_group_id"]?.id.map { MessageGroup(key: "\(chat) \($0)", position: number) }
    }

    var replyTarget: ReplyTarget {
        var fields = ["chat": chat, "message": String(number)]
        fields["thread"] = topic
        return ReplyTarget(fields)
    }

    /// Whether the text is one of the bot's commands, alone or with what follows.
    func isCall(to commands: String...) -> Bool {
        guard let text = message["text"]?.text, text.hasPrefix("/") else { return false }
        let word = text.dropFirst().prefix { $0.isLetter }.lowercased()
        return commands.contains(word)
    }

    /// In groups only as a command: there people talk to each other.
    var isUndo: Bool { isCall(to: "undo") || isPrivate && UndoWord.isAll(of: message["text"]?.text) }

    /// Somebody sent something, rather than joined, left or pinned a message; in groups people also merely talk.
    var isWorthReading: Bool {
        if !TelegramMedia(message).isEmpty { return true }
        guard let text = message["text"]?.text else { return false }
        if isPrivate { return true }
        let entities = message["entities"]?.elements ?? []
        return entities.contains { ["url", "text_link"].contains($0["type"]?.text) }
            || !LinkFinder.links(in: text).isEmpty
    }

    func draft(by hook: Hook.ID) -> Draft {
        let (text, entities) =
            message["text"].map { ($0, message["entities"]) } ?? (
                message["caption"] ?? .null, message["caption_entities"]
            )
        let words = TelegramWords(text.text ?? "", entities: entities?.elements ?? [])
        let media = TelegramMedia(message)
        var draft = Draft()
        draft.text = words.text.isEmpty ? nil : words.text
        draft.links = words.links
        draft.media = media.references(by: hook)
        draft.skipped = media.skipped
        // A link is its own source.
        if !draft.media.isEmpty { draft.source = origin }
        return draft
    }

    /// Where a forwarded post stands in public.
    private var origin: String? {
        if let origin = message["forward_origin"] {
            guard let name = (origin["chat"] ?? origin["sender_chat"])?["username"]?.text else { return nil }
            return Self.address(name, origin["message_id"]?.int)
        }
        guard let name = message["forward_from_chat"]?["username"]?.text else { return nil }
        return Self.address(name, message["forward_from_message_id"]?.int)
    }

    private static func address(_ name: String, _ number: Int?) -> String {
        "https://t.me/\(name)" + (number.map { "/\($0)" } ?? "")
    }
}
