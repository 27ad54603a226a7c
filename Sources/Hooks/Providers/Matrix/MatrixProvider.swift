internal import PinpostCore

/// Matrix, by either way: an outbound webhook of hookshot, which brings the decrypted file with it, or the transactions
/// of a homeserver (spec.matrix.org, Application Service API), whose files are fetched.
///
/// The secret is hookshot's token or the registration's `hs_token`; without one our own token stands in the address that
/// both were given. The API's token is an access token, or the registration's `as_token`.
struct MatrixProvider: Provider {
    let name = "matrix"
    let methods = ["POST", "PUT", "GET"]
    let bodyLimit = 64 << 20

    /// hookshot puts nothing behind the address, a homeserver the rest of the API's path.
    func serves(_ path: [String]) -> Bool {
        path.isEmpty || path.starts(with: ["_matrix", "app", "v1"]) || MatrixPath(path).transaction != nil
    }

    let secretReplacesToken = true

    func proof(of _: String) -> RequestProof { .token }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let path = MatrixPath(request.path)
        guard isProven(request) else { return .refuse(log: "the token of hookshot or homeserver is wrong") }
        if path.isPing { return .answer(Self.done, log: "a ping") }
        if request.method == "GET" { return .answer(Self.unknown, log: "a question about users or rooms") }
        guard path.transaction != nil else {
            guard request.path.isEmpty else { return .answer(Self.unknown, log: "an unknown path") }
            return try receiveOutbound(request)
        }
        let events: [JSONTree]
        do throws(HookError) {
            events = try request.body.object()["events"]?.elements ?? []
        } catch {
            guard error.code != .unavailable else { throw error }
            // A homeserver repeats a refused transaction for ever, and holds everything behind it back.
            return .answer(Self.done, log: "a transaction that cannot be read: \(error.description)")
        }
        var parts: [ProviderVerdict.Part] = []
        for event in events {
            let post = MatrixPost(event)
            guard post.reasonToIgnore(own: request.access.settings.options["bot"]) == nil, let id = post.id,
                request.access.allows([post.room, post.sender], byDefault: true)
            else { continue }
            parts.append(
                ProviderVerdict.Part(
                    delivery: delivery(of: post, id: id, request.access), body: Array(event.json.utf8)))
        }
        guard !parts.isEmpty else { return .answer(Self.done, log: "no message in the transaction") }
        return .acceptEach(parts, Self.done)
    }

    func read(_ delivery: StoredDelivery, into intake: Intake) throws(HookError) -> [Draft] {
        guard case .multipart = try PayloadKind(contentType: delivery.contentType) else {
            return [MatrixPost(try delivery.object()).draft(by: delivery.hook)]
        }
        let outbound = try MatrixOutbound(delivery, intake)
        var draft = MatrixPost(outbound.event).draft(by: delivery.hook)
        if let file = outbound.file {
            // The file is here already, and decrypted.
            (draft.media, draft.skipped) = ([], [])
            draft.add(file)
        }
        return [draft]
    }

    func obstacle(toFilesWith access: ProviderAccess) -> String? {
        access.obstacleToFiles(token: "access token")
    }

    /// Authenticated media (version 1.11 of the specification).
    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        guard answers.isEmpty else { return .done }
        guard let (server, id) = MatrixPost.mediaName(media.file) else {
            throw ProviderError(.refused, "The file has no address in Matrix.")
        }
        return .call(
            try access.call(
                "/_matrix/client/v1/media/download/\(server)/\(id)", of: self, scheme: "Bearer",
                responseLimit: PictureLimit.bytes))
    }

    func reply(_ report: ProviderReport, to target: ReplyTarget, with access: ProviderAccess) -> [ProviderCall] {
        guard let room = target.fields["room"], let event = target.fields["event"] else { return [] }
        let relation = JSONTree.object(of: ["m.in_reply_to": .object(["event_id": .text(event)])])
        let content = JSONTree.object(of: [
            "msgtype": .text("m.notice"), "body": .text(report.text(upTo: Self.longestText)), "m.relates_to": relation,
        ])
        // The transaction's name keeps a second attempt from being a second answer.
        let path = "/_matrix/client/v3/rooms/\(FormText.escaped(room))/send/m.room.message/pinpost-\(report.message)"
        return [try? access.call(path, of: self, method: "PUT", scheme: "Bearer", body: content.body)].compactMap(
            \.self)
    }

    /// A homeserver holds back everything behind a transaction that is not answered with 200.
    func answer(to failure: ProviderFailure) -> ProviderAnswer {
        switch failure {
        case .malformed, .unsupportedType:
            .json("{\"errcode\":\"M_NOT_JSON\",\"error\":\"Not an event.\"}", status: 400)
        case .tooLarge: .json("{\"errcode\":\"M_TOO_LARGE\",\"error\":\"Too large.\"}", status: 413)
        case .nothingUsable: Self.done
        case .temporary, .busy: failure.standardAnswer
        }
    }

    private func receiveOutbound(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let event: JSONTree
        if case .multipart = try PayloadKind(contentType: request.body.contentType) {
            event = try MatrixOutbound(request.body, nil).event
        } else {
            event = try request.body.object()
        }
        let post = MatrixPost(event)
        if let reason = post.reasonToIgnore(own: request.access.settings.options["bot"]) {
            return .answer(Self.done, log: reason)
        }
        let names = [post.room, post.sender, request.header("x-matrix-hookshot-roomid")]
        guard request.access.allows(names, byDefault: true) else {
            return .answer(Self.done, log: "neither the room nor the person is on the allow-list")
        }
        let id = post.id ?? request.header("x-matrix-hookshot-eventid")
        return .accept(delivery(of: post, id: id, request.access), Self.done)
    }

    private func delivery(
        of post: MatrixPost, id: String?, _ access: ProviderAccess
    ) -> ProviderVerdict.Delivery {
        let undo = post.undo
        return ProviderVerdict.Delivery(
            id: id, reply: post.replyTarget(with: access), author: post.author,
            thread: undo == nil ? post.thread ?? id : post.thread, answered: post.answered, undo: undo)
    }

    /// The sender's own token, where the hook knows it; the hook's token was right already.
    private func isProven(_ request: ProviderRequest) -> Bool {
        guard let text = request.access.secret, let secret = try? SharedSecret(text) else { return true }
        let bearer = request.header("authorization").flatMap { field in
            field.lowercased().hasPrefix("bearer ") ? field.dropFirst(7).trimmed : nil
        }
        let presented = [request.header("x-matrix-hookshot-token"), bearer, request.queryItem("access_token")]
        return presented.compactMap(\.self).contains { secret.equals(Array($0.utf8)) }
    }

    /// Matrix's own limit is 64 KiB for an event.
    private static let longestText = 8_000
    private static let done = ProviderAnswer.json("{}")
    private static let unknown = ProviderAnswer.json(
        "{\"errcode\":\"M_NOT_FOUND\",\"error\":\"There is nothing of that name.\"}", status: 404)
}

/// What a homeserver puts behind the address of its registration.
struct MatrixPath {
    let transaction: String?
    let isPing: Bool

    /// `_matrix/app/v1/transactions/ID`; the same without the first three, as older servers have it.
    init(_ path: [String]) {
        let rest = path.starts(with: ["_matrix", "app", "v1"]) ? Array(path.dropFirst(3)) : path
        transaction = rest.count == 2 && rest[0] == "transactions" && !rest[1].isEmpty ? rest[1] : nil
        isPing = rest == ["ping"] && path.count == 4
    }
}
