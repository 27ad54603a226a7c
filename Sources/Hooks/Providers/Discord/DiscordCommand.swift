internal import PinpostCore

/// What somebody chose: `/pin` with its options, or "Save to Pinry" on a message.
struct DiscordCommand {
    private let data: JSONTree

    /// nil for an interaction that is no command.
    init?(_ body: JSONTree) {
        guard let data = body["data"], case .object = data else { return nil }
        self.data = data
    }

    var hasSomething: Bool {
        let draft = draft(by: Hook.ID(""))
        return !draft.media.isEmpty || !draft.links.isEmpty || !draft.imageLinks.isEmpty || !draft.skipped.isEmpty
            || !LinkFinder.links(in: draft.text ?? "").isEmpty
    }

    /// `/pin text:undo`, and nothing beside it.
    var isUndo: Bool {
        let options = data["options"]?.elements ?? []
        return options.count == 1 && options[0]["name"]?.text == "text" && UndoWord.isAll(of: options[0]["value"]?.text)
    }

    func draft(by hook: Hook.ID) -> Draft {
        var draft = Draft()
        if let target = data["target_id"]?.id, let message = data["resolved"]?["messages"]?[target] {
            add(message, by: hook, to: &draft)
            // What was passed on stands in a copy inside.
            for snapshot in message["message_snapshots"]?.elements.prefix(10) ?? [] {
                if let inner = snapshot["message"] { add(inner, by: hook, to: &draft) }
            }
        } else {
            addOptions(by: hook, to: &draft)
        }
        return draft
    }

    // MARK: - A message

    private func add(_ message: JSONTree, by hook: Hook.ID, to draft: inout Draft) {
        let texts = [draft.text, message["content"]?.text].compactMap(\.self)
        draft.text = texts.isEmpty ? nil : texts.joined(separator: "\n")
        let files = message["attachments"]?.elements ?? []
        for file in files.prefix(Self.mostFiles) { add(file: file, by: hook, to: &draft) }
        guard files.isEmpty, LinkFinder.links(in: draft.text ?? "").isEmpty else { return }
        let shown = DiscordShown(message)
        draft.links += shown.links
        for picture in shown.pictures { add(picture, by: hook, to: &draft) }
        (draft.text, draft.source) = (draft.text ?? shown.text, draft.source ?? shown.source)
    }

    /// From Discord's own hosts like a file, from elsewhere like any link to a picture.
    private func add(_ picture: DiscordShown.Picture, by hook: Hook.ID, to draft: inout Draft) {
        guard MediaKind.mayBePicture(type: picture.type, name: nil) else {
            return draft.skipped.append(MediaKind.skipped(name: nil, type: picture.type))
        }
        if DiscordProvider.isDiscords(picture.url) {
            draft.media.append(MediaReference(hook: hook, file: picture.url, type: picture.type))
        } else {
            draft.imageLinks.append(picture.url)
        }
    }

    private static let mostFiles = 50

    private func add(file: JSONTree, by hook: Hook.ID, to draft: inout Draft) {
        let name = file["filename"]?.text.flatMap(FileName.clean)
        let type = file["content_type"]?.text
        let count = file["size"]?.int
        guard MediaKind.mayBePicture(type: type, name: name) else {
            return draft.skipped.append(MediaKind.skipped(name: name, type: type, count: count))
        }
        guard let url = file["url"]?.text else {
            let reason = "Discord gives no way to the file"
            return draft.skipped.append(SkippedPart(.file, name: name, type: type, bytes: count, reason: reason))
        }
        draft.media.append(MediaReference(hook: hook, file: url, name: name, type: type, count: count))
        // Somebody described the picture for those who do not see it: better than its name.
        if draft.text == nil, let words = file["description"]?.text { draft.text = words }
    }

    // MARK: - Options

    private func addOptions(by hook: Hook.ID, to draft: inout Draft) {
        var words: [String] = []
        for option in data["options"]?.elements.prefix(25) ?? [] {
            guard let name = option["name"]?.text, let value = option["value"] else { continue }
            switch (name, value) {
            case ("board", .text(let board)) where !board.isEmpty: draft.board = board
            case ("tags", .text(let tags)): draft.tags += Self.tags(tags)
            case ("private", _): draft.isPrivate = value.flag
            case ("link", .text(let link)), ("url", .text(let link)): draft.links.append(link)
            case (_, .text(let text)):
                if let file = data["resolved"]?["attachments"]?[text] {
                    add(file: file, by: hook, to: &draft)
                } else {
                    words.append(text)
                }
            default: break
            }
        }
        if !words.isEmpty { draft.text = words.joined(separator: "\n") }
    }

    /// By commas where there are any, else by blanks.
    private static func tags(_ text: String) -> [String] {
        let separators: (Character) -> Bool = text.contains(",") ? { $0 == "," } : { $0.isWhitespace }
        return text.split(whereSeparator: separators).map { $0.drop { $0 == "#" || $0.isWhitespace }.trimmed }
            .filter { !$0.isEmpty && $0.count <= 100 }
    }
}
