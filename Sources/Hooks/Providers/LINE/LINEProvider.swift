internal import PinpostCore

/// LINE's Messaging API (developers.line.biz): several events in one request, pictures of one set in events of their own.
///
/// The secret is the channel's, the token its access token. The answer's token is good for about a minute.
struct LINEProvider: Provider {
    let name = "line"
    /// Of files; messages have another host.
    let apiBase: String? = "https://api-data.line.me"
    private static let messageBase = "https://api.line.me"

    let needs = ProviderNeeds(secret: .given, needsToken: true, needsAPIBase: false)

    /// What opens the way back is good for about a minute: the first attempt is the last.
    let undoPatience = 0.0

    func proof(of _: String) -> RequestProof { .signature(.line) }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let body = try request.body.object()
        guard case .array(let events)? = body["events"] else {
            throw HookError(.malformed, "The body is not a webhook of LINE.")
        }
        let posts = events.map { LINEPost($0) }
        let meant = posts.filter {
            ($0.isWorthReading || $0.undo != nil) && request.access.allows($0.names, byDefault: true)
        }
        let parts = meant.map { post in
            var delivery = ProviderVerdict.Delivery(
                id: post.id, group: post.album, author: post.author, answered: post.answered, undo: post.undo)
            if let message = post.messageID { delivery.otherIDs = [LINEPost.name(ofMessage: message)] }
            if request.access.token != nil { delivery.reply = post.replyTarget }
            return ProviderVerdict.Part(delivery: delivery, body: Array(post.json.utf8))
        }
        guard !parts.isEmpty else { return .answer(ProviderAnswer(), log: "no message of somebody who may pin") }
        return .acceptEach(parts, ProviderAnswer())
    }

    func read(_ delivery: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] {
        [LINEPost(try delivery.object()).draft(by: delivery.hook)]
    }

    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        guard answers.isEmpty else { return .done }
        guard !media.file.isEmpty, media.file.utf8.allSatisfy(\.isLetterOrDigit) else {
            throw ProviderError(.refused, "The file has no id.")
        }
        return .call(
            try access.call(
                "/v2/bot/message/\(media.file)/content", of: self, scheme: "Bearer",
                responseLimit: PictureLimit.bytes))
    }

    func reply(_ report: ProviderReport, to target: ReplyTarget, with access: ProviderAccess) -> [ProviderCall] {
        var message: [String: JSONTree] = ["type": .text("text"), "text": .text(report.text(upTo: Self.longestText))]
        if report.canUndo {
            let action = JSONTree.object(of: [
                "type": .text("postback"), "label": .text("Undo"), "displayText": .text("Undo"),
                "data": .text(LINEPost.undoMark + report.message.rawValue),
            ])
            message["quickReply"] = .object(of: [
                "items": .array([.object(of: ["type": .text("action"), "action": action])])
            ])
        }
        return [call(.object(message), target, access)].compactMap(\.self)
    }

    /// LINE has no stop code; it sends again only where the channel says so.
    func answer(to failure: ProviderFailure) -> ProviderAnswer {
        failure == .nothingUsable ? ProviderAnswer() : failure.standardAnswer
    }

    private func call(_ message: JSONTree, _ target: ReplyTarget, _ access: ProviderAccess) -> ProviderCall? {
        guard let key = target.key, let token = access.token else { return nil }
        let body = JSONTree.object(of: [
            "replyToken": .text(key.withBytes { String(decoding: $0, as: UTF8.self) }), "messages": .array([message]),
        ])
        let url = (access.settings.apiBase ?? Self.messageBase) + "/v2/bot/message/reply"
        var request = HTTPRequest(method: "POST", url: url, body: body.body)
        request.authorization = ("Bearer", token)
        return ProviderCall(request, as: .provider(host: ProviderAccess.host(of: url)))
    }

    func registration(of url: String, with access: ProviderAccess) throws(ProviderError) -> [ProviderCall] {
        guard let token = access.token else { throw ProviderError(.notConfigured, "The hook has no access token.") }
        let place = (access.settings.apiBase ?? Self.messageBase) + "/v2/bot/channel/webhook/endpoint"
        var request = HTTPRequest(method: "PUT", url: place, body: JSONTree.object(of: ["endpoint": .text(url)]).body)
        request.authorization = ("Bearer", token)
        return [ProviderCall(request, as: .provider(host: ProviderAccess.host(of: place)))]
    }

    /// LINE's own limit is 5,000 characters.
    private static let longestText = 2_000
}
