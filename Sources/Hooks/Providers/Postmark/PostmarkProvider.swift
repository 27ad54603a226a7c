internal import PinpostCore

/// Postmark's inbound webhook (postmarkapp.com/developer/webhooks/inbound-webhook); our own token stands in its URL.
///
/// The raw mail goes the mail way where the server's setting includes it.
struct PostmarkProvider: Provider {
    let name = "postmark"
    let resends = true
    /// 35 MB of attachments in base64, and the raw mail beside them.
    let bodyLimit = 128 << 20

    func proof(of _: String) -> RequestProof { .token }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let head = try PostmarkHead(request.body)
        guard head.isMail || head.record != "Inbound" else {
            throw HookError(.malformed, "The body is not a mail by Postmark.")
        }
        guard head.record == "Inbound" else { return .answer(ProviderAnswer(), log: "an event about sent mail") }
        var delivery = ProviderVerdict.Delivery(id: head.messageID)
        delivery.boardSlug = head.board
        guard head.isRaw else { return .accept(delivery, ProviderAnswer()) }
        let mail = try request.mail(to: head.recipient, from: head.sender) { consume throws(HookError) in
            try request.body.cut(member: "RawEmail", isBase64: false, consume)
        }
        return .acceptMail(mail, delivery, ProviderAnswer())
    }

    func read(_ delivery: StoredDelivery, into intake: Intake) throws(HookError) -> [Draft] {
        [try PostmarkMail.draft(of: delivery, intake)]
    }

    /// 403 is Postmark's stop code; everything else but 200 is tried ten times in ten hours.
    func answer(to failure: ProviderFailure) -> ProviderAnswer { failure.answer(stop: 403) }
}

/// What decides how a request of Postmark is taken.
struct PostmarkHead {
    var messageID: String?
    var recipient: String?
    var sender: String?
    /// The slug of the board behind the plus sign of the address.
    var board: String?
    /// Other kinds of record tell what became of mails that were sent.
    var record = "Inbound"
    var isRaw = false
    var isMail = false

    init(_ body: StoredDelivery) throws(HookError) {
        try body.members { key, json throws(HookError) in
            switch key {
            case "MessageID": messageID = try json.scalar()
            case "OriginalRecipient": recipient = try json.scalar()
            case "From": sender = try json.scalar()
            case "RecordType": record = try json.scalar()
            case "MailboxHash": board = BoardSlug.make(from: try json.scalar())
            case "RawEmail":
                var count = 0
                guard try json.kind() == .string else { return try json.skip() }
                try json.string { count += $0.count }
                isRaw = count > 0
                isMail = isMail || isRaw
            case "TextBody", "HtmlBody", "Attachments", "Subject", "FromFull":
                isMail = true
                try json.skip()
            default: try json.skip()
            }
        }
        if board?.isEmpty == true { board = nil }
        if messageID?.isEmpty == true { messageID = nil }
    }
}
