internal import PinpostCore

/// Postal's HTTP endpoints (docs.postalserver.io): the raw mail, or the mail taken apart, as JSON or as a form; our
/// own token stands in the URL, and where the hook has Postal's public key, the request has to be signed as well.
struct PostalProvider: Provider {
    let name = "postal"
    let resends = true
    /// What Postal takes by default is 14 MB; in base64, escaped.
    let bodyLimit = 64 << 20

    let additionalScheme: SignatureScheme? = .postal

    func proof(of _: String) -> RequestProof { .token }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        guard try request.isSigned(for: self) else { return .refuse(log: "the signature is wrong") }
        let head = try PostalHead(request.body)
        guard !head.isEvent else { return .answer(ProviderAnswer(), log: "an event about sent mail") }
        guard head.isMail else { throw HookError(.malformed, "The body is not a mail by Postal.") }
        guard !head.isBounce else { return .answer(ProviderAnswer(), log: "a mail that could not be delivered") }
        var delivery = ProviderVerdict.Delivery(id: head.id)
        delivery.boardSlug = head.recipient.flatMap(PlusAddress.board)
        guard head.isRaw else { return .accept(delivery, ProviderAnswer()) }
        let mail = try request.mail(to: head.recipient, from: head.sender) { consume throws(HookError) in
            try head.cut(from: request.body, consume)
        }
        return .acceptMail(mail, delivery, ProviderAnswer())
    }

    func read(_ delivery: StoredDelivery, into intake: Intake) throws(HookError) -> [Draft] {
        var mail = try PostalMail(delivery, intake)
        return [mail.draft()]
    }

    func answer(to failure: ProviderFailure) -> ProviderAnswer { failure.answer() }
}

/// What decides how a request of Postal is taken.
struct PostalHead {
    var id: String?
    var recipient: String?
    var sender: String?
    var isRaw = false
    var isBase64 = false
    var isMail = false
    var isBounce = false
    /// Postal's webhooks tell what became of mails that were sent.
    var isEvent = false
    private let isJSON: Bool

    init(_ body: StoredDelivery) throws(HookError) {
        if case .json = try PayloadKind(contentType: body.contentType) {
            isJSON = true
            try body.members { key, json throws(HookError) in
                switch (key, try json.kind()) {
                case ("message", .string):
                    try json.skip()
                    isRaw = true
                case ("payload", .object):
                    try json.skip()
                    isEvent = true
                case (_, .string), (_, .number), (_, .flag): take(key, try json.scalar())
                default: try json.skip()
                }
            }
        } else {
            isJSON = false
            try body.formParts { name, part throws(HookError) in
                if name == "message" { isRaw = true }
                take(name, part.string ?? "")
            }
        }
    }

    func cut(from body: StoredDelivery, _ consume: ProviderRequest.MailConsumer) throws(HookError) {
        guard !isJSON else { return try body.cut(member: "message", isBase64: isBase64, consume) }
        guard isBase64 else { return try body.cut(field: ["message"], consume) }
        var text: [UInt8] = []
        try body.cut(field: ["message"]) { run in text.append(contentsOf: run) }
        guard let mime = SignatureEncoding.base64.decode(String(decoding: text, as: UTF8.self)) else {
            throw HookError(.malformed, "The mail is not base64.")
        }
        try mime.lend(consume)
    }

    private mutating func take(_ key: String, _ value: String) {
        switch key {
        case "id": id = value.isEmpty ? nil : value
        case "rcpt_to":
            recipient = value
            isMail = true
        case "mail_from": sender = value
        case "base64": isBase64 = value == "true" || value == "1"
        case "bounce": isBounce = value == "true" || value == "1"
        default: break
        }
    }
}
