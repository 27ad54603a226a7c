internal import FoundationEssentials
internal import PinpostCore

/// Twilio's incoming messages (twilio.com/docs/messaging/twiml): a form, up to ten files, an answer in TwiML.
///
/// It waits 15 seconds and does not try again. The secret is the account's auth token; with an API key, the token is
/// `KEY:SECRET`.
struct TwilioProvider: Provider {
    private static let mostFiles = 10

    let name = "twilio"
    let apiBase: String? = "https://api.twilio.com"

    func proof(of _: String) -> RequestProof { .signature(.twilio) }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let form = try request.body.form()
        guard let sender = form["From"], let id = form["MessageSid"] ?? form["SmsMessageSid"] ?? form["SmsSid"] else {
            throw HookError(.malformed, "The body is not a message of Twilio.")
        }
        guard form["MessageStatus"] == nil || form["NumMedia"] != nil || form["Body"] != nil else {
            return .answer(Self.silence, log: "the status of a message")
        }
        guard request.access.allows([sender], byDefault: true) else {
            return .answer(Self.silence, log: "the sender is not on the allow-list")
        }
        var delivery = ProviderVerdict.Delivery(id: id, author: "\(form["To"] ?? "") \(sender)")
        if UndoWord.isAll(of: form["Body"]), form["MediaUrl0"] == nil { delivery.undo = .newest }
        if let account = form["AccountSid"], let receiver = form["To"] {
            delivery.reply = ReplyTarget(["account": account, "from": receiver, "to": sender])
        }
        return .accept(delivery, Self.silence)
    }

    func read(_ delivery: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] {
        let form = try delivery.form()
        var draft = Draft()
        draft.text = form["Body"]
        let count = max(0, min(Int(form["NumMedia"] ?? "") ?? 0, Self.mostFiles))
        for index in 0..<count {
            guard let url = form["MediaUrl\(index)"] else { continue }
            let type = form["MediaContentType\(index)"]
            guard MediaKind.mayBePicture(type: type, name: nil) else {
                draft.skipped.append(MediaKind.skipped(name: nil, type: type))
                continue
            }
            draft.media.append(MediaReference(hook: delivery.hook, file: url, type: type))
        }
        return [draft]
    }

    /// Basic at Twilio's own host, which sends on to where the file lies, without credentials.
    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        guard answers.isEmpty else { return .done }
        let url = try access.address(media.file, at: ["twilio.com"])
        guard let account = Self.account(in: url) else {
            throw ProviderError(.refused, "The file has no address at Twilio.")
        }
        var call = try self.call(url, account, access)
        call.mayLeadElsewhere = true
        return .call(call)
    }

    func reply(_ report: ProviderReport, to target: ReplyTarget, with access: ProviderAccess) -> [ProviderCall] {
        guard let account = target.fields["account"], account.utf8.allSatisfy(\.isLetterOrDigit),
            let from = target.fields["from"], let to = target.fields["to"]
        else { return [] }
        let form = FormText.encoded([("From", from), ("To", to), ("Body", report.text(upTo: Self.longestText))])
        guard let url = try? access.url("/2010-04-01/Accounts/\(account)/Messages.json", of: self),
            var call = try? call(url, account, access)
        else { return [] }
        call.request.method = "POST"
        call.request.body = .bytes(Array(form.utf8), contentType: "application/x-www-form-urlencoded")
        return [call]
    }

    private func call(_ url: String, _ account: String, _ access: ProviderAccess) throws(ProviderError) -> ProviderCall
    {
        if let token = access.token, token.withBytes({ $0.contains(UInt8(ascii: ":")) }) {
            return try access.basicCall(url, password: token)
        }
        guard let secret = access.token ?? access.secret else {
            throw ProviderError(.notConfigured, "The hook has no auth token.")
        }
        return try access.basicCall(url, user: account, password: secret)
    }

    /// `/2010-04-01/Accounts/AC…/Messages/…`.
    private static func account(in path: String) -> String? {
        let parts = path.split(separator: "/")
        guard let place = parts.firstIndex(of: "Accounts"), place + 1 < parts.count,
            parts[place + 1].utf8.allSatisfy(\.isLetterOrDigit)
        else { return nil }
        return String(parts[place + 1])
    }

    /// Twilio's own limit is 1,600 characters, each part of 153 costs.
    private static let longestText = 640
    private static let silence = ProviderAnswer(
        contentType: "text/xml", body: "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response/>")
}
