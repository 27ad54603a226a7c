internal import PinpostCore

/// WhatsApp's Cloud API (developers.facebook.com, Webhooks): GET asks whether the address is ours, POST brings messages.
///
/// The secret is the app's, the token an access token; the option `verify-token` is what was typed into Meta's form.
struct WhatsAppProvider: Provider {
    let name = "whatsapp"
    let resends = true
    let methods = ["POST", "GET"]
    let apiBase: String? = "https://graph.facebook.com/v21.0"

    let needs = ProviderNeeds(secret: .given, needsToken: true, needsAPIBase: false)

    func proof(of method: String) -> RequestProof { method == "GET" ? .judged : .signature(.whatsapp) }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        if request.method == "GET" { return challenge(request) }
        let body = try request.body.object()
        guard body["entry"] != nil else { throw HookError(.malformed, "The body is not a webhook of WhatsApp.") }
        let posts = WhatsAppPost.posts(in: body)
        let meant = posts.filter {
            ($0.isWorthReading || $0.undo != nil) && request.access.allows([$0.sender], byDefault: true)
        }
        let parts = meant.map {
            ProviderVerdict.Part(
                delivery: ProviderVerdict.Delivery(
                    id: $0.id, reply: $0.replyTarget, author: $0.author, answered: $0.answered, undo: $0.undo),
                body: Array($0.json.utf8))
        }
        guard !parts.isEmpty else {
            return .answer(ProviderAnswer(), log: "no message and no Undo of a person who may pin")
        }
        return .acceptEach(parts, ProviderAnswer())
    }

    func read(_ delivery: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] {
        [WhatsAppPost(stored: try delivery.object()).draft(by: delivery.hook)]
    }

    /// The id gives an address that is good for five minutes; both want the token.
    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        switch answers.count {
        case 0:
            guard !media.file.isEmpty, media.file.utf8.allSatisfy({ $0.isLetterOrDigit || "-_".utf8.contains($0) })
            else { throw ProviderError(.refused, "The file has no id.") }
            return .call(try access.call("/\(media.file)", of: self, scheme: "Bearer"))
        case 1:
            guard let url = try? JSONTree(answers[0].body)["url"]?.text else {
                throw ProviderError(.refused, "WhatsApp gives no way to the file.")
            }
            return .call(try file(at: try access.address(url, at: Self.hosts), access))
        default: return .done
        }
    }

    /// The token goes to Meta's own hosts, or to the one of `--api-base`.
    private func file(at url: String, _ access: ProviderAccess) throws(ProviderError) -> ProviderCall {
        guard let token = access.token else { throw ProviderError(.notConfigured, "The hook has no access token.") }
        var request = HTTPRequest(url: url, responseLimit: PictureLimit.bytes)
        request.authorization = ("Bearer", token)
        return ProviderCall(request, as: .provider(host: ProviderAccess.host(of: url)))
    }

    private static let hosts = ["fbsbx.com", "facebook.com", "fbcdn.net", "whatsapp.net"]

    func reply(_ report: ProviderReport, to target: ReplyTarget, with access: ProviderAccess) -> [ProviderCall] {
        guard let number = target.fields["number"], number.utf8.allSatisfy(\.isLetterOrDigit),
            let person = target.fields["to"]
        else { return [] }
        let text = JSONTree.text(report.text(upTo: Self.longestText))
        var message: KeyValuePairs<String, JSONTree?> = ["text": .object(of: ["body": text]), "type": .text("text")]
        if report.canUndo {
            let button = JSONTree.object(of: [
                "id": .text(WhatsAppPost.undoMark + report.message.rawValue), "title": .text("Undo"),
            ])
            let action = JSONTree.object(of: [
                "buttons": .array([.object(of: ["type": .text("reply"), "reply": button])])
            ])
            message = [
                "type": .text("interactive"),
                "interactive": .object(of: [
                    "type": .text("button"), "body": .object(of: ["text": text]), "action": action,
                ]),
            ]
        }
        return [call(message, to: person, from: number, about: target.fields["message"], access)].compactMap(\.self)
    }

    /// Meta tries for days whatever is not answered with 200; what is wrong for good is wrong the next time as well.
    func answer(to failure: ProviderFailure) -> ProviderAnswer {
        failure == .nothingUsable ? ProviderAnswer() : failure.standardAnswer
    }

    private func call(
        _ message: KeyValuePairs<String, JSONTree?>, to person: String, from number: String, about id: String?,
        _ access: ProviderAccess
    ) -> ProviderCall? {
        var body = JSONTree.object(of: message).members
        body["messaging_product"] = .text("whatsapp")
        body["to"] = .text(person)
        if let id { body["context"] = .object(of: ["message_id": .text(id)]) }
        return try? access.call(
            "/\(number)/messages", of: self, method: "POST", scheme: "Bearer", body: JSONTree.object(body).body)
    }

    private func challenge(_ request: ProviderRequest) -> ProviderVerdict {
        let expected = request.access.settings.options["verify-token"].map { Secret(copying: Array($0.utf8)) }
        guard let expected, let secret = try? SharedSecret(expected), request.queryItem("hub.mode") == "subscribe",
            let token = request.queryItem("hub.verify_token"), secret.equals(Array(token.utf8)),
            let challenge = request.queryItem("hub.challenge"), challenge.utf8.count <= 256,
            challenge.utf8.allSatisfy({ $0.isLetterOrDigit || "-_".utf8.contains($0) })
        else { return .answer(.text("", status: 403), log: "the verify token is wrong") }
        return .answer(.text(challenge), log: "the address is confirmed")
    }

    /// Of a message with a button, in characters.
    private static let longestText = 1_000
}
