internal import PinpostCore

/// Rocket.Chat's outgoing integrations (docs.rocket.chat): the token stands in the body.
///
/// An answer without a body counts as a failure, and 410 switches the integration off. The API's token is
/// `USER-ID:TOKEN`.
struct RocketChatProvider: Provider {
    let name = "rocketchat"

    func proof(of _: String) -> RequestProof { .signature(.rocketchat) }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let post = try RocketChatPost(request.body)
        if let reason = post.reasonToIgnore { return .answer(Self.silence, log: reason) }
        guard request.access.allows(post.names, byDefault: true) else {
            return .answer(Self.silence, log: "neither the room nor the person is on the allow-list")
        }
        var delivery = ProviderVerdict.Delivery(id: post.id, author: post.author, thread: post.thread ?? post.id)
        let canReply = request.access.token != nil
        if canReply, let room = post.room { delivery.reply = ReplyTarget(["room": room, "message": post.id]) }
        if post.isUndo {
            (delivery.undo, delivery.thread) = (.newest, post.thread)
            return .accept(delivery, canReply ? Self.silence : Self.say(UndoWord.receipt))
        }
        guard !canReply else { return .accept(delivery, Self.silence) }
        let draft = post.draft(by: request.access.hook)
        let receipt = ChatReceipt(
            files: draft.media.count, links: draft.imageLinks.count + LinkFinder.links(in: draft.text ?? "").count,
            obstacle: obstacle(toFilesWith: request.access))
        return .accept(delivery, Self.say(receipt.text))
    }

    func read(_ delivery: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] {
        [try RocketChatPost(delivery).draft(by: delivery.hook)]
    }

    func obstacle(toFilesWith access: ProviderAccess) -> String? {
        access.obstacleToFiles(token: "token of a user")
    }

    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        guard answers.isEmpty else { return .done }
        guard media.file.hasPrefix("/file-upload/") || media.file.hasPrefix("/ufs/"), !media.file.contains("..") else {
            throw ProviderError(.refused, "The file does not lie with Rocket.Chat.")
        }
        return .call(try call(media.file, access, responseLimit: PictureLimit.bytes))
    }

    func reply(_ report: ProviderReport, to target: ReplyTarget, with access: ProviderAccess) -> [ProviderCall] {
        guard let room = target.fields["room"] else { return [] }
        let message = JSONTree.object(of: [
            "roomId": .text(room), "tmid": target.fields["message"].map { .text($0) },
            "text": .text(OwnAnswer.marked(report.text(upTo: Self.longestText))),
        ])
        return [try? call("/api/v1/chat.postMessage", access, method: "POST", body: message.body)].compactMap(\.self)
    }

    /// With the user's id and token, as header fields for the API and as cookies for files.
    private func call(
        _ path: String, _ access: ProviderAccess, method: String = "GET", body: HTTPRequest.Body = .none,
        responseLimit: Int = 1 << 20
    ) throws(ProviderError) -> ProviderCall {
        let text = access.token?.withBytes { String(decoding: $0, as: UTF8.self) }.trimmed ?? ""
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") }) else {
            throw ProviderError(.notConfigured, "The hook needs the token of a user as USER-ID:TOKEN.")
        }
        var call = try access.call(path, of: self, method: method, body: body, responseLimit: responseLimit)
        call.request.headers = [
            ("X-User-Id", parts[0]), ("X-Auth-Token", parts[1]), ("Cookie", "rc_uid=\(parts[0]); rc_token=\(parts[1])"),
        ]
        return call
    }

    /// Rocket.Chat's own limit is 5,000 characters.
    private static let longestText = 4_000
    private static let silence = ProviderAnswer.json("{\"success\":true}")

    private static func say(_ words: String) -> ProviderAnswer {
        .json(JSONTree.object(of: ["text": .text(OwnAnswer.marked(words))]).json)
    }
}
