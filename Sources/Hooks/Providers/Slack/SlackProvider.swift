internal import PinpostCore

/// An app in a Slack workspace (docs.slack.dev): events, `/pin`, the message shortcut, and the button.
///
/// It waits three seconds for an answer and repeats events three times, within about five minutes.
struct SlackProvider: Provider {
    let name = "slack"
    let apiBase: String? = "https://slack.com/api"
    let needs = ProviderNeeds(secret: .given, needsToken: true, needsAPIBase: false)

    func proof(of _: String) -> RequestProof { .signature(.slack) }

    /// Slack tries the certificate without a signature; nothing is done for it.
    func probe(_ body: StoredDelivery) -> ProviderAnswer? {
        guard case .form? = try? PayloadKind(contentType: body.contentType), let form = try? body.form(),
            form["ssl_check"] == "1", form["payload"] == nil, form["command"] == nil
        else { return nil }
        return ProviderAnswer()
    }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        switch try SlackRequest(request.body) {
        case .event(let body): event(body, request.access)
        case .command(let form): command(form, request.access)
        case .interaction(let payload): interaction(payload, request.access)
        }
    }

    func read(_ delivery: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] {
        guard let post = try SlackRequest(delivery).post() else {
            throw HookError(.malformed, "There is no message in it.")
        }
        return [post.draft(of: delivery)]
    }

    /// What will not be better the next time is not sent again.
    func answer(to failure: ProviderFailure) -> ProviderAnswer {
        var answer = failure.standardAnswer
        if failure != .temporary, failure != .busy {
            answer.headers.append(ProviderAnswer.Header("X-Slack-No-Retry", "1"))
        }
        return answer
    }

    // MARK: - Events

    private func event(_ body: JSONTree, _ access: ProviderAccess) -> ProviderVerdict {
        if body["type"]?.text == "url_verification", let challenge = body["challenge"]?.text {
            return .answer(.text(challenge), log: "url_verification")
        }
        guard let event = body["event"], let id = body["event_id"]?.id, !Self.isOurs(event, body),
            let channel = (event["channel"] ?? event["channel_id"])?.id
        else { return .answer(ProviderAnswer(), log: "no event of a person") }
        guard access.allows([channel, (event["user"] ?? event["user_id"])?.id], byDefault: true) else {
            return .answer(ProviderAnswer(), log: "neither channel nor person is on the allow-list")
        }
        if event["type"]?.text == "file_shared" { return sharedFile(event, id, channel) }
        guard Self.isNewMessage(event), let time = event["ts"]?.id else {
            return .answer(ProviderAnswer(), log: "no new message")
        }
        let isTalk = event["channel_type"]?.text != "im" && event["type"]?.text != "app_mention"
        let post = SlackPost(event)
        let thread = event["thread_ts"]?.id
        let target = ReplyTarget(["channel": channel, "thread": thread ?? time])
        // One message may come as several events with ids of their own: as message and as mention.
        var delivery = ProviderVerdict.Delivery(
            id: id, otherIDs: ["message \(channel) \(time)"], reply: target,
            author: Self.author(event["user"]?.id, in: channel), thread: thread ?? time)
        if !isTalk, post?.isUndo == true {
            (delivery.undo, delivery.thread) = (.newest, thread)
            return .accept(delivery, ProviderAnswer())
        }
        if isTalk, post?.hasSomething != true {
            return .answer(ProviderAnswer(), log: "a message without picture or link")
        }
        delivery.claims = post?.fileIDs.map { SlackPost.name(ofFile: $0, in: channel) } ?? []
        return .accept(delivery, ProviderAnswer())
    }

    /// A file by its id alone; mostly its message comes beside it, and has the words.
    private func sharedFile(_ event: JSONTree, _ id: String, _ channel: String) -> ProviderVerdict {
        guard let file = event["file_id"]?.id else { return .answer(ProviderAnswer(), log: "no file") }
        var delivery = ProviderVerdict.Delivery(
            id: id, otherIDs: [SlackPost.name(ofFile: file, in: channel)], reply: ReplyTarget(["channel": channel]),
            author: Self.author(event["user_id"]?.id, in: channel))
        delivery.patience = Self.patience
        return .accept(delivery, ProviderAnswer())
    }

    /// What the message of a file is waited for, in seconds; one that comes later does not bring the file once more.
    private static let patience = 10.0

    /// An Undo in one channel leaves what the same person sent to another.
    private static func author(_ person: String?, in channel: String?) -> String? {
        person.map { "\(channel ?? "") \($0)" }
    }

    private static func isNewMessage(_ event: JSONTree) -> Bool {
        switch event["type"]?.text {
        case "app_mention": true
        case "message": [nil, "file_share", "thread_broadcast", "me_message"].contains(event["subtype"]?.text)
        default: false
        }
    }

    /// Our own answers come back as events, and so do other bots'.
    private static func isOurs(_ event: JSONTree, _ body: JSONTree) -> Bool {
        if event["bot_id"]?.id != nil { return true }
        guard let user = (event["user"] ?? event["user_id"])?.id else { return false }
        return (body["authorizations"]?.elements ?? []).contains {
            $0["is_bot"]?.flag == true && $0["user_id"]?.id == user
        }
    }

    // MARK: - Commands, shortcuts and buttons

    private func command(_ form: [String: String], _ access: ProviderAccess) -> ProviderVerdict {
        guard let command = form["command"], !command.isEmpty else {
            return .answer(answer(to: .malformed), log: "a form that is no command")
        }
        guard access.allows([form["channel_id"], form["user_id"]], byDefault: true) else {
            return .answer(Self.say("You may not pin here."), log: "neither channel nor person is on the allow-list")
        }
        let post = SlackPost(words: form["text"] ?? "")
        var delivery = ProviderVerdict.Delivery(
            id: form["trigger_id"].map { "command \($0)" }, reply: Self.target(form["response_url"]),
            author: Self.author(form["user_id"], in: form["channel_id"]))
        if post.isUndo {
            delivery.undo = .newest
            return .accept(delivery, Self.say(UndoWord.receipt))
        }
        guard post.hasSomething else {
            let usage = "Usage: \(command) LINK board:Name #tag. A picture is pinned by sharing it in a channel."
            return .answer(Self.say(usage), log: "a command without a link")
        }
        return .accept(delivery, Self.say("On its way to the board."))
    }

    private func interaction(_ payload: JSONTree, _ access: ProviderAccess) -> ProviderVerdict {
        let people = [payload["channel"]?["id"]?.id, payload["user"]?["id"]?.id]
        guard access.allows(people, byDefault: true) else {
            return .answer(ProviderAnswer(), log: "neither channel nor person is on the allow-list")
        }
        let target = Self.target(payload["response_url"]?.text)
        let id = payload["trigger_id"]?.id ?? payload["action_ts"]?.id
        switch payload["type"]?.text {
        case "message_action":
            guard payload["message"] != nil else { return .answer(answer(to: .malformed), log: "no message") }
            return .accept(
                ProviderVerdict.Delivery(
                    id: id.map { "shortcut \($0)" }, reply: target,
                    author: Self.author(people[1], in: people[0])),
                ProviderAnswer())
        case "block_actions":
            let action = payload["actions"]?.elements.first { $0["action_id"]?.text == Self.undoAction }
            guard let message = action?["value"]?.text else {
                return .answer(ProviderAnswer(), log: "an unknown button")
            }
            return .accept(
                ProviderVerdict.Delivery(
                    id: id.map { "button \($0)" }, reply: target, undo: .message(Message.ID(message))),
                ProviderAnswer())
        default: return .answer(ProviderAnswer(), log: "an interaction that is not used")
        }
    }

    private static func target(_ responseURL: String?) -> ReplyTarget? {
        guard let responseURL, isSlack(responseURL) || responseURL.hasPrefix("http") else { return nil }
        return ReplyTarget(key: Secret(copying: Array(responseURL.utf8)))
    }

    /// Seen by the person alone.
    private static func say(_ words: String) -> ProviderAnswer {
        .json("{\"response_type\":\"ephemeral\",\"text\":\(JSONText.quote(SlackText.escaped(words)))}")
    }

    static let undoAction = "undo"
}
