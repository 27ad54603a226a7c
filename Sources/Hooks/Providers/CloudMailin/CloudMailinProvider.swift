internal import PinpostCore

/// CloudMailin (docs.cloudmailin.com, Receiving Email): JSON or multipart, taken apart or raw; our own token stands
/// in its URL.
///
/// What is refused with 4xx bounces, and the sender of the mail reads the answer.
struct CloudMailinProvider: Provider {
    let name = "cloudmailin"
    let resends = true
    let bodyLimit = 64 << 20

    func proof(of _: String) -> RequestProof { .token }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let head = try CloudMailinHead(request.body)
        guard head.isMail else { throw HookError(.malformed, "The body is not a mail in a form of CloudMailin.") }
        var delivery = ProviderVerdict.Delivery()
        delivery.boardSlug = head.recipient.flatMap(PlusAddress.board)
        guard head.isRaw else {
            delivery.id = head.identity.id(for: head.recipient)
            return .accept(delivery, ProviderAnswer())
        }
        let mail = try request.mail(to: head.recipient, from: head.sender) { consume throws(HookError) in
            if head.isJSON {
                try request.body.cut(member: "message", isBase64: false, consume)
            } else {
                try request.body.cut(field: ["message"], consume)
            }
        }
        delivery.id = mail.id
        return .acceptMail(mail, delivery, ProviderAnswer())
    }

    func read(_ delivery: StoredDelivery, into intake: Intake) throws(HookError) -> [Draft] {
        var mail = try CloudMailinMail(delivery, intake)
        return [mail.draft()]
    }

    func answer(to failure: ProviderFailure) -> ProviderAnswer { failure.answer() }
}

/// What decides how a request of CloudMailin is taken.
struct CloudMailinHead {
    var isJSON = false
    var isMail = false
    var isRaw = false
    var recipient: String?
    var sender: String?
    let identity = MailIdentity()
    /// Each attempt may put the files to another place.
    private static let ownWords: Set<String> = ["url"]

    init(_ body: StoredDelivery) throws(HookError) {
        if case .json = try PayloadKind(contentType: body.contentType) {
            isJSON = true
            try body.members { key, json throws(HookError) in try takeMember(key, json) }
        } else {
            try body.formParts { name, part throws(HookError) in try takeField(name, part) }
        }
    }

    private mutating func takeMember(_ key: String, _ json: JSONReader) throws(HookError) {
        switch key {
        case "envelope", "headers":
            isMail = true
            guard try json.kind() == .object else { return try json.skip() }
            try json.members { name throws(HookError) in take(key, name, try json.scalar(upTo: 64 << 10)) }
        case "plain", "html", "attachments":
            isMail = true
            try json.add(key, to: identity, without: Self.ownWords)
        case "message":
            isRaw = try json.kind() == .string
            isMail = isMail || isRaw
            try json.skip()
        default: try json.skip()
        }
    }

    private mutating func takeField(_ name: String, _ part: FormPart) throws(HookError) {
        let path = FieldPath.split(name)
        switch (path.first ?? "", part) {
        case ("envelope", .text(let bytes)), ("headers", .text(let bytes)):
            isMail = true
            take(path[0], path.count > 1 ? path[1] : "", String(decoding: bytes, as: UTF8.self))
        case ("message", _): (isMail, isRaw) = (true, true)
        case ("plain", _), ("html", _), ("attachments", _):
            isMail = true
            guard !Self.ownWords.contains(path.last ?? "") else { return }
            switch part {
            case .text(let bytes): identity.add(name, bytes)
            case .file(let file, _, let body): try identity.add("\(name)/\(file)", body.stream)
            }
        // The first form that there was has them at the top.
        case ("to", .text(let bytes)): recipient = recipient ?? String(decoding: bytes, as: UTF8.self)
        case ("from", .text(let bytes)): sender = sender ?? String(decoding: bytes, as: UTF8.self)
        default: break
        }
    }

    private mutating func take(_ group: String, _ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        switch (group, CloudMailinMail.headerName(name)) {
        case ("envelope", "to"): recipient = value
        case ("envelope", "from"): sender = value
        case ("headers", let field): identity.add(field: field.split(separator: "_").joined(separator: "-"), value)
        default: break
        }
    }
}
