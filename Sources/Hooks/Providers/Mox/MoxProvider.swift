internal import FoundationEssentials
internal import PinpostCore

/// mox's webhook for incoming deliveries (xmox.nl, webapi and webhooks): the texts and the structure of the mail; its
/// files are fetched from the web API.
///
/// Our own token stands in the URL. mox takes 200 alone for success and knows no stop code: everything else is tried
/// again for more than a day.
struct MoxProvider: Provider {
    let name = "mox"
    let resends = true
    /// Two texts of 1 MiB, escaped, and the structure.
    let bodyLimit = 16 << 20

    let needs = ProviderNeeds(secret: .none, needsToken: true, needsAPIBase: true)

    func proof(of _: String) -> RequestProof { .token }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let incoming = try request.body.object()
        guard let meta = incoming["Meta"], case .object? = incoming["Structure"] else {
            guard incoming["Event"] != nil else { throw HookError(.malformed, "The body is not a mail by mox.") }
            return .answer(ProviderAnswer(), log: "an event about sent mail")
        }
        var delivery = ProviderVerdict.Delivery(id: meta["MsgID"]?.id ?? request.header("x-mox-webhook-id"))
        delivery.boardSlug = meta["RcptTo"]?.text.flatMap(PlusAddress.board)
        return .accept(delivery, ProviderAnswer())
    }

    func read(_ delivery: StoredDelivery, into intake: Intake) throws(HookError) -> [Draft] {
        let incoming = try delivery.object()
        var mail = InboundMail()
        mail.subject = incoming["Subject"]?.text ?? ""
        mail.text = incoming["Text"]?.text ?? ""
        mail.html = incoming["HTML"]?.text ?? ""
        let id = incoming["Meta"]?["MsgID"]?.id ?? ""
        guard let structure = incoming["Structure"] else { return [mail.draft(discardingInto: intake)] }
        for part in MoxPart.leaves(of: structure, atMost: intake.limits.entries) where !part.isText {
            guard MediaKind.mayBePicture(type: part.type, name: part.name) else {
                mail.add(.skipped(MediaKind.skipped(name: part.name, type: part.type, count: part.count)))
                continue
            }
            let path = part.path.map(String.init).joined(separator: ".")
            let media = MediaReference(
                hook: delivery.hook, file: "\(id)/\(path)", name: part.name, type: part.type, count: part.count)
            mail.add(media, isInline: part.isInline)
        }
        return [mail.draft(discardingInto: intake)]
    }

    /// `MessagePartGet` with the account's address and password, `--token-file` with `USER:PASSWORD`.
    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        guard answers.isEmpty else { return .done }
        let pieces = media.file.split(separator: "/", omittingEmptySubsequences: false)
        let path = pieces.last?.split(separator: ".") ?? []
        guard pieces.count == 2, let id = Int(pieces[0]), path.allSatisfy({ Int($0) != nil }) else {
            throw ProviderError(.refused, "The file has no number.")
        }
        let json = "{\"MsgID\":\(id),\"PartPath\":[\(path.joined(separator: ","))]}"
        let form = "request=" + FormText.escaped(json)
        let url = try access.url("/MessagePartGet", of: self)
        return .call(
            try access.basicCall(
                url, method: "POST", body: .bytes(Array(form.utf8), contentType: "application/x-www-form-urlencoded")))
    }

    func answer(to failure: ProviderFailure) -> ProviderAnswer { failure.answer(stop: 200) }
}
