internal import PinpostCore

/// An application on Discord (docs.discord.com): `/pin` and "Save to Pinry", by interactions over HTTP.
///
/// It waits three seconds for the first answer, never repeats, and tries wrong signatures on purpose.
struct DiscordProvider: Provider {
    let name = "discord"
    let apiBase: String? = "https://discord.com/api/v10"
    let needs = ProviderNeeds(secret: .given, needsToken: true, needsAPIBase: false)

    private enum Kind {
        /// Of the webhook events, which are no interactions and want an empty answer.
        static let eventPing = 0
        static let ping = 1
        static let command = 2
        static let component = 3
    }

    func proof(of _: String) -> RequestProof { .signature(.discord) }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let body = try request.body.object()
        guard let kind = body["type"]?.int else { throw HookError(.malformed, "There is no type.") }
        guard kind != Kind.eventPing, body["event"] == nil else {
            return .answer(ProviderAnswer(status: 204), log: "a webhook event")
        }
        guard kind != Kind.ping else { return .answer(Self.pong, log: "ping") }
        guard let id = body["id"]?.id, let token = body["token"]?.text else {
            throw HookError(.malformed, "The interaction has no id or no token.")
        }
        switch kind {
        case Kind.command: return command(body, id, token, request.access)
        case Kind.component: return component(body, id, token, request.access)
        default: return .answer(Self.say("That is not possible here."), log: "an interaction that is not used")
        }
    }

    func read(_ delivery: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] {
        guard let command = DiscordCommand(try delivery.object()) else {
            throw HookError(.malformed, "There is no command in it.")
        }
        return [command.draft(by: delivery.hook)]
    }

    private func command(
        _ body: JSONTree, _ id: String, _ token: String, _ access: ProviderAccess
    ) -> ProviderVerdict {
        guard isAllowed(body, access) else {
            return .answer(Self.say("You may not pin here."), log: "not on the allow-list")
        }
        let command = DiscordCommand(body)
        var delivery = ProviderVerdict.Delivery(
            id: "\(body["data"]?["name"]?.text ?? "") \(id)", reply: Self.target(body, token),
            author: Self.person(body).map { "\(body["channel_id"]?.id ?? "") \($0)" })
        if command?.isUndo == true {
            delivery.undo = .newest
            return .accept(delivery, Self.deferred)
        }
        guard command?.hasSomething == true else {
            return .answer(Self.say("There is nothing to pin: give a picture or a link."), log: "an empty command")
        }
        return .accept(delivery, Self.deferred)
    }

    private func component(
        _ body: JSONTree, _ id: String, _ token: String, _ access: ProviderAccess
    ) -> ProviderVerdict {
        guard isAllowed(body, access), let data = body["data"]?["custom_id"]?.text, data.hasPrefix(Self.undoMark)
        else { return .answer(Self.say("That is not possible here."), log: "an unknown button") }
        var target = Self.target(body, token)
        target.fields["press"] = id
        let message = Message.ID(String(data.dropFirst(Self.undoMark.count)))
        return .accept(
            ProviderVerdict.Delivery(id: "button \(id)", reply: target, undo: .message(message)), Self.deferredUpdate)
    }

    private static func person(_ body: JSONTree) -> String? { (body["member"]?["user"] ?? body["user"])?["id"]?.id }

    /// The person, the server or the channel; without a list the signature is enough.
    private func isAllowed(_ body: JSONTree, _ access: ProviderAccess) -> Bool {
        access.allows([Self.person(body), body["guild_id"]?.id, body["channel_id"]?.id], byDefault: true)
    }

    private static func target(_ body: JSONTree, _ token: String) -> ReplyTarget {
        var target = ReplyTarget(key: Secret(copying: Array(token.utf8)))
        target.fields["application"] = body["application_id"]?.id
        return target
    }

    // MARK: - Answers

    private static let pong = ProviderAnswer.json("{\"type\":1}")
    /// "Pinpost is thinking …", for the person alone, until the follow-up comes.
    private static let deferred = ProviderAnswer.json("{\"type\":5,\"data\":{\"flags\":64}}")

    /// The answer under which the button is changes later.
    private static let deferredUpdate = ProviderAnswer.json("{\"type\":6}")

    private static func say(_ words: String) -> ProviderAnswer {
        .json("{\"type\":4,\"data\":{\"flags\":64,\"content\":\(JSONText.quote(words))}}")
    }

    private static let undoMark = "undo:"

    func reply(_ report: ProviderReport, to target: ReplyTarget, with access: ProviderAccess) -> [ProviderCall] {
        let content = JSONText.quote(String(report.plainText.prefix(Self.longestText)))
        var members = ["\"content\":\(content)", "\"allowed_mentions\":{\"parse\":[]}"]
        if report.canUndo {
            let data = JSONText.quote(Self.undoMark + report.message.rawValue)
            members.append(
                "\"components\":[{\"type\":1,\"components\":[{\"type\":2,\"style\":2,\"label\":\"Undo\",\"custom_id\":\(data)}]}]"
            )
        }
        return [call("PATCH", "/messages/@original", members, target, access)].compactMap(\.self)
    }

    /// Replaces the answer under which the button was; what went wrong is said beside it, to the person alone.
    func tell(_ undo: UndoReport, with access: ProviderAccess) -> [ProviderCall] {
        guard undo.target.fields["press"] != nil else {
            return reply(ProviderReport(undo), to: undo.target, with: access)
        }
        let text = "\"content\":\(JSONText.quote(String(undo.text.prefix(Self.longestText))))"
        let call =
            undo.isDone
            ? call("PATCH", "/messages/@original", [text, "\"components\":[]"], undo.target, access)
            : call("POST", "", [text, "\"flags\":64"], undo.target, access)
        return [call].compactMap(\.self)
    }

    /// To the interaction's own webhook, whose token is good for a quarter of an hour.
    private func call(
        _ method: String, _ path: String, _ members: [String], _ target: ReplyTarget, _ access: ProviderAccess
    ) -> ProviderCall? {
        guard let application = target.fields["application"], application.utf8.allSatisfy(\.isDigit),
            let token = target.key?.withBytes({ String(decoding: $0, as: UTF8.self) }),
            token.utf8.allSatisfy(Self.isPlain)
        else { return nil }
        return try? access.call(
            "/webhooks/\(application)/\(token)\(path)", of: self, method: method,
            body: .bytes(Array("{\(members.joined(separator: ","))}".utf8), contentType: "application/json"))
    }

    /// Discord takes 2,000 characters.
    private static let longestText = 1_900

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isDigit || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "-_.~".utf8.contains(byte)
    }
}
