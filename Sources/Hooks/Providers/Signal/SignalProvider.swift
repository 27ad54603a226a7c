internal import FoundationEssentials
internal import PinpostCore

/// signal-cli-rest-api (github.com/bbernhard/signal-cli-rest-api), `RECEIVE_WEBHOOK_URL` in its JSON-RPC mode.
///
/// It has no proof of its own and tries once: our own token stands in the address, and the answer comes as soon as the
/// message is durable.
struct SignalProvider: Provider {
    let name = "signal"

    let needs = ProviderNeeds(secret: .none, needsToken: false, needsAPIBase: true)

    func proof(of _: String) -> RequestProof { .token }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let post = SignalPost(try request.body.object())
        guard post.isSignal else { throw HookError(.malformed, "The body is not a message of signal-cli.") }
        guard post.isWorthReading || post.deleted != nil, let id = post.id else {
            return .answer(ProviderAnswer(), log: "no new message of a person")
        }
        guard request.access.allows(post.names, byDefault: true) else {
            return .answer(ProviderAnswer(), log: "neither the person nor the group is on the allow-list")
        }
        var delivery = ProviderVerdict.Delivery(id: id, author: post.author)
        delivery.undo = post.deleted.map { .delivery($0) } ?? (post.isUndo ? .newest : nil)
        delivery.answered = post.answered
        if request.access.settings.apiBase != nil { delivery.reply = post.replyTarget }
        return .accept(delivery, ProviderAnswer())
    }

    func read(_ delivery: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] {
        [SignalPost(try delivery.object()).draft(by: delivery.hook)]
    }

    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        guard answers.isEmpty else { return .done }
        let isPlain = media.file.utf8.allSatisfy { $0.isLetterOrDigit || "-_.".utf8.contains($0) }
        guard isPlain, !media.file.isEmpty, media.file.first != "." else {
            throw ProviderError(.refused, "The file has no id.")
        }
        return .call(try call("/v1/attachments/\(media.file)", access))
    }

    func reply(_ report: ProviderReport, to target: ReplyTarget, with access: ProviderAccess) -> [ProviderCall] {
        guard let account = target.fields["account"], let recipient = target.fields["to"],
            var call = try? call("/v2/send", access)
        else { return [] }
        let body = JSONTree.object(of: [
            "number": .text(account), "recipients": .texts([recipient]),
            "message": .text(OwnAnswer.marked(report.text(upTo: Self.longestText))),
        ])
        call.request.method = "POST"
        call.request.body = body.body
        return [call]
    }

    /// The program behind `--api-base` knows no passwords; a proxy before it may, as `USER:PASSWORD`.
    private func call(_ path: String, _ access: ProviderAccess) throws(ProviderError) -> ProviderCall {
        guard access.token == nil else { return try access.basicCall(try access.url(path, of: self)) }
        return try access.call(path, of: self, responseLimit: PictureLimit.bytes)
    }

    private static let longestText = 2_000
}
