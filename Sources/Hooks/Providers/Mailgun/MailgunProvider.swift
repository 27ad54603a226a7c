internal import FoundationEssentials
internal import PinpostCore

/// Mailgun's routes (documentation.mailgun.com, Receive, Forward, Store): `forward` to this URL, to the same with
/// `/mime` behind it for the raw mail, or `store` with `notify`.
///
/// The signature does not cover the mail, so our own token has to be in the URL as well.
struct MailgunProvider: Provider {
    static let rawFields: Set<String> = ["body-mime"]

    let name = "mailgun"
    let resends = true
    /// 25 MB of mail and its parts beside it.
    let bodyLimit = 64 << 20

    /// Mailgun sends the raw mail to an address that ends so.
    func serves(_ path: [String]) -> Bool { path.isEmpty || path == ["mime"] }

    func proof(of _: String) -> RequestProof { .tokenAndSignature(.mailgun) }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let head = try MailgunHead(request.body)
        guard head.isMail || head.isEvent else { throw HookError(.malformed, "The body is not a mail by Mailgun.") }
        guard !head.isEvent else { return .answer(ProviderAnswer(), log: "an event about sent mail") }
        var delivery = ProviderVerdict.Delivery()
        delivery.boardSlug = head.recipient.flatMap(PlusAddress.board)
        // The token is the signature's id; a second attempt may have another one.
        guard head.isRaw else {
            delivery.otherIDs = [head.storedID, head.identity.id(for: head.recipient)].compactMap(\.self)
            return .accept(delivery, ProviderAnswer())
        }
        let mail = try request.mail(to: head.recipient, from: head.sender) { consume throws(HookError) in
            try request.body.cut(field: Self.rawFields, consume)
        }
        delivery.otherIDs = [mail.id]
        return .acceptMail(mail, delivery, ProviderAnswer())
    }

    func read(_ delivery: StoredDelivery, into intake: Intake) throws(HookError) -> [Draft] {
        [try MailgunMail(delivery, intake).draft()]
    }

    /// Only attachments that Mailgun stores have to be fetched.
    func obstacle(toFilesWith access: ProviderAccess) -> String? {
        access.obstacleToFiles(token: "API key", knowsServer: true)
    }

    /// Stored attachments: Basic with the user `api` and the account's key.
    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        guard answers.isEmpty else { return .done }
        let url = try access.address(media.file, at: ["mailgun.net", "mailgun.org"])
        return .call(try access.basicCall(url, user: "api"))
    }

    /// 406 is Mailgun's stop code; everything else but 200 is tried again for eight hours.
    func answer(to failure: ProviderFailure) -> ProviderAnswer { failure.answer(stop: 406) }
}

/// What decides how a request of Mailgun is taken.
struct MailgunHead {
    var recipient: String?
    var sender: String?
    let identity = MailIdentity()
    /// The address of a stored mail: the same for every attempt at its notice, and for all of its recipients.
    private var storedAt: String?
    var isRaw = false
    var isMail = false
    /// Mailgun's webhooks tell what became of mails that were sent.
    var isEvent = false

    /// By what a repeat of a stored mail's notice for this recipient is recognised.
    var storedID: String? {
        storedAt.map { "stored \((recipient ?? "").utf8.count):\(recipient ?? "") \($0)" }
    }

    init(_ body: StoredDelivery) throws(HookError) {
        if case .json = try PayloadKind(contentType: body.contentType) {
            isEvent = true
            return
        }
        try body.formParts { name, part throws(HookError) in
            switch name {
            case "recipient": recipient = recipient ?? part.string
            case "sender": sender = sender ?? part.string
            case "Message-Id", "message-id", "Message-ID", "Date", "From", "Subject":
                identity.add(field: name, part.string ?? "")
            case "body-mime": (isMail, isRaw) = (true, true)
            case "message-headers":
                isMail = true
                if case .text(let bytes) = part { addHeaders(bytes) }
            case "message-url": storedAt = part.string
            case "body-plain", "body-html", "subject", "stripped-text", "attachments":
                isMail = isMail || name != "stripped-text"
                if case .text(let bytes) = part { identity.add(name, bytes) }
            case "event": isEvent = true
            default:
                guard case .file(let file, _, let body) = part else { return }
                isMail = isMail || name == "attachment-1"
                try identity.add("\(name)/\(file)", body.stream)
            }
        }
    }

    /// All the header fields, as a list of names and values.
    private func addHeaders(_ list: [UInt8]) {
        let source = ByteSource(BodyReader(list), limit: list.count)
        guard let fields = try? JSONTree(reading: source, limits: HookLimits()) else { return }
        for pair in fields.elements.map({ $0.elements.compactMap(\.text) }) where pair.count == 2 {
            identity.add(field: pair[0], pair[1])
        }
    }
}
