internal import PinpostCore

/// A bot on Telegram (core.telegram.org/bots/api).
///
/// Every 2xx ends the delivery of an update; anything else is sent again, for up to a day.
struct TelegramProvider: Provider {
    let name = "telegram"
    let apiBase: String? = "https://api.telegram.org"
    let needs = ProviderNeeds(secret: .made, needsToken: true, needsAPIBase: false)

    func proof(of _: String) -> RequestProof { .signature(.telegram) }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let update = try request.body.object()
        guard let id = update["update_id"]?.id else { throw HookError(.malformed, "There is no update_id.") }
        if let press = update["callback_query"] { return undo(press, id, request.access) }
        // Edited messages repeat the picture: they must not pin it again.
        guard let post = TelegramPost(update) else { return .answer(ProviderAnswer(), log: "no new message") }
        guard request.access.allows([post.chat, post.sender], byDefault: false) else { return stranger(post) }
        if post.isCall(to: "start", "help") { return .answer(Self.say(Self.help, to: post.chat), log: "help") }
        var delivery = ProviderVerdict.Delivery(
            id: id, otherIDs: post.places, group: post.album, reply: post.replyTarget, author: post.author,
            thread: post.topic)
        if post.isUndo {
            (delivery.undo, delivery.answered) = (.newest, post.answered)
            return .accept(delivery, ProviderAnswer())
        }
        guard post.isWorthReading else { return .answer(ProviderAnswer(), log: "talk, or a service message") }
        return .accept(delivery, ProviderAnswer())
    }

    func read(_ delivery: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] {
        guard let post = TelegramPost(try delivery.object()) else {
            throw HookError(.malformed, "The update has no message.")
        }
        return [post.draft(by: delivery.hook)]
    }

    // MARK: - Answers at once

    private static let help =
        "Send me pictures or links, and I pin them. In the caption: #tags, board:Name, and #private for a private pin. "
        + "The word undo takes back what you sent last."

    /// In a private chat a person learns what the admin has to allow; elsewhere the bot stays silent.
    private func stranger(_ post: TelegramPost) -> ProviderVerdict {
        let log = "neither the chat nor its sender is on the allow-list"
        guard post.isPrivate else { return .answer(ProviderAnswer(), log: log) }
        let words = "This chat may not pin yet. Its number is \(post.chat); whoever runs Pinpost can allow it."
        return .answer(Self.say(words, to: post.chat), log: log)
    }

    /// An answer that Telegram carries out as a call of the bot.
    private static func say(_ words: String, to chat: String) -> ProviderAnswer {
        .json("{\"method\":\"sendMessage\",\"chat_id\":\(chat),\"text\":\(JSONText.quote(words))}")
    }

    // MARK: - Undo

    private static let undoMark = "undo:"

    private func undo(_ press: JSONTree, _ update: String, _ access: ProviderAccess) -> ProviderVerdict {
        guard let data = press["data"]?.text, data.hasPrefix(Self.undoMark), let id = press["id"]?.id,
            let chat = press["message"]?["chat"]?["id"]?.int, let number = press["message"]?["message_id"]?.int
        else { return .answer(ProviderAnswer(), log: "an unknown button") }
        guard access.allows([String(chat), press["from"]?["id"]?.id], byDefault: false) else {
            return .answer(ProviderAnswer(), log: "Undo by somebody who is not on the allow-list")
        }
        let target = ReplyTarget(["chat": String(chat), "message": String(number), "press": id])
        let message = Message.ID(String(data.dropFirst(Self.undoMark.count)))
        return .accept(
            ProviderVerdict.Delivery(id: update, reply: target, undo: .message(message)), ProviderAnswer())
    }

    func tell(_ undo: UndoReport, with access: ProviderAccess) -> [ProviderCall] {
        let target = undo.target.fields
        guard let press = target["press"], let chat = target["chat"], let message = target["message"] else {
            return reply(ProviderReport(undo), to: undo.target, with: access)
        }
        let text = JSONText.quote(String(undo.text.prefix(Self.longestNotice)))
        var calls = [
            try? call(
                "answerCallbackQuery", access,
                "{\"callback_query_id\":\(JSONText.quote(press)),\"text\":\(text),\"show_alert\":\(!undo.isDone)}")
        ]
        if undo.isDone {
            let place = "\"chat_id\":\(chat),\"message_id\":\(message)"
            calls.append(try? call("editMessageText", access, "{\(place),\"text\":\(text)}"))
        }
        return calls.compactMap(\.self)
    }

    /// Telegram shows no more of an answer to a button.
    private static let longestNotice = 200

    // MARK: - Replies

    func reply(_ report: ProviderReport, to target: ReplyTarget, with access: ProviderAccess) -> [ProviderCall] {
        guard let chat = target.fields["chat"] else { return [] }
        var members = [
            "\"chat_id\":\(chat)", "\"text\":\(JSONText.quote(String(report.plainText.prefix(Self.longestText))))",
            "\"link_preview_options\":{\"is_disabled\":true}",
        ]
        if let message = target.fields["message"] {
            members.append(
                "\"reply_parameters\":{\"message_id\":\(message),\"allow_sending_without_reply\":true}")
        }
        if let thread = target.fields["thread"] { members.append("\"message_thread_id\":\(thread)") }
        if report.canUndo {
            let data = JSONText.quote(Self.undoMark + report.message.rawValue)
            members.append(
                "\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"Undo\",\"callback_data\":\(data)}]]}")
        }
        return [try? call("sendMessage", access, "{\(members.joined(separator: ","))}")].compactMap(\.self)
    }

    /// Bot API, `sendMessage`: in UTF-16 units; emoji and links leave room.
    private static let longestText = 3_000

    func registration(of url: String, with access: ProviderAccess) throws(ProviderError) -> [ProviderCall] {
        guard let secret = access.secret else { throw ProviderError(.notConfigured, "The hook has no secret.") }
        let token = secret.withBytes { String(decoding: $0, as: UTF8.self) }
        let members = [
            "\"url\":\(JSONText.quote(url))", "\"secret_token\":\(JSONText.quote(token))",
            "\"allowed_updates\":[\"message\",\"channel_post\",\"callback_query\"]",
        ]
        return [
            try call("getMe", access, "{}"), try call("setWebhook", access, "{\(members.joined(separator: ","))}"),
        ]
    }
}
