internal import FoundationEssentials
internal import PinpostCore

/// SendGrid's Inbound Parse (docs.sendgrid.com, Setting Up The Inbound Parse Webhook), taken apart or raw.
///
/// It proves nothing by default: our own token stands in the URL. Where the hook has a verification key, the request
/// has to be signed as well.
struct SendGridProvider: Provider {
    let name = "sendgrid"
    let resends = true
    /// 30 MB of mail and its parts beside it.
    let bodyLimit = 64 << 20

    let additionalScheme: SignatureScheme? = .sendgrid

    func proof(of _: String) -> RequestProof { .token }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        guard try request.isSigned(for: self) else { return .refuse(log: "the signature is wrong") }
        let head = try SendGridHead(request.body)
        guard head.isMail || head.isEvents else { throw HookError(.malformed, "The body is not a mail by SendGrid.") }
        guard !head.isEvents else { return .answer(ProviderAnswer(), log: "events about sent mail") }
        var delivery = ProviderVerdict.Delivery()
        delivery.boardSlug = PlusAddress.board(head.recipients.joined(separator: ","))
        guard head.isRaw else {
            delivery.id = head.identity.id(for: head.recipient)
            return .accept(delivery, ProviderAnswer())
        }
        let mail = try request.mail(to: head.recipient, from: head.sender) { consume throws(HookError) in
            try request.body.cut(field: ["email"], consume)
        }
        delivery.id = mail.id
        return .acceptMail(mail, delivery, ProviderAnswer())
    }

    func read(_ delivery: StoredDelivery, into intake: Intake) throws(HookError) -> [Draft] {
        [try SendGridMail(delivery, intake).draft()]
    }

    func answer(to failure: ProviderFailure) -> ProviderAnswer { failure.answer() }
}

/// What decides how a request of SendGrid is taken.
struct SendGridHead {
    private(set) var recipients: [String] = []
    var recipient: String? { recipients.first }
    var sender: String?
    let identity = MailIdentity()
    private static let aboutContent: Set<String> = ["subject", "charsets", "attachment-info", "content-ids"]
    var isRaw = false
    var isMail = false
    /// The Event Webhook posts JSON to where somebody has mixed up the two.
    var isEvents = false

    init(_ body: StoredDelivery) throws(HookError) {
        if case .json = try PayloadKind(contentType: body.contentType) {
            isEvents = true
            return
        }
        try body.formParts { name, part throws(HookError) in
            switch (name, part) {
            case ("headers", .text(let bytes)):
                isMail = true
                identity.add(header: bytes)
            case ("email", _): (isMail, isRaw) = (true, true)
            case ("envelope", .text(let bytes)): readEnvelope(bytes)
            case ("text", .text(let bytes)), ("html", .text(let bytes)):
                isMail = true
                identity.add(name, bytes)
            case (_, .text(let bytes)) where Self.aboutContent.contains(name): identity.add(name, bytes)
            case (_, .file(let file, _, let body)):
                isMail = isMail || name == "attachment1"
                try identity.add("\(name)/\(file)", body.stream)
            default: break
            }
        }
    }

    private mutating func readEnvelope(_ bytes: [UInt8]) {
        let source = ByteSource(BodyReader(bytes), limit: bytes.count)
        guard let envelope = try? JSONTree(reading: source, limits: HookLimits()) else { return }
        recipients = (envelope["to"]?.elements ?? []).compactMap(\.text)
        if recipients.isEmpty, let only = envelope["to"]?.text { recipients = [only] }
        sender = envelope["from"]?.text
    }
}
