internal import PinpostCore

/// Mails that Amazon SES receives and publishes on a topic of SNS (docs.aws.amazon.com, SES receiving and SNS HTTPS
/// endpoints).
///
/// Everybody can have a topic that Amazon signs for: our own token stands in the URL, only the hook's topic counts,
/// and a subscription is confirmed at an address that we make ourselves.
struct AmazonSESProvider: Provider {
    let name = "aws-ses-sns"
    let resends = true
    /// SNS takes 256 KB.
    let bodyLimit = 1 << 20

    let needs = ProviderNeeds(
        secret: .none, needsToken: false, needsAPIBase: false, options: ["topic"], allowStandsForOptions: true)

    func proof(of _: String) -> RequestProof { .token }

    /// The certificate of the signature, from Amazon's own host.
    func inquiry(about request: ProviderRequest) throws(HookError) -> ProviderCall? {
        let envelope = try SNSEnvelope(request)
        guard request.access.wantsSignature, envelope.isOf(request.access.topics), !envelope.isBare,
            let url = envelope.certificateURL(with: request.access)
        else { return nil }
        let certificate = HTTPRequest(url: url, timeout: .seconds(10), responseLimit: 64 << 10)
        return ProviderCall(certificate, as: .provider(host: ProviderAccess.host(of: url)))
    }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let envelope = try SNSEnvelope(request)
        guard request.access.allowsAll || envelope.isOf(request.access.topics) else {
            return .refuse(log: "not a topic of this hook")
        }
        if request.access.wantsSignature {
            guard !envelope.isBare else { return .refuse(log: "raw delivery has no signature") }
            guard try envelope.isSigned(request) else { return .refuse(log: "the signature is wrong") }
        }
        switch envelope.type {
        case "SubscriptionConfirmation":
            guard let call = envelope.confirmation(with: request.access) else {
                return .refuse(log: "the subscription is not confirmed at Amazon")
            }
            return .answerAfter([call], ProviderAnswer(), log: "the subscription is confirmed")
        case "Notification": return try receive(envelope, request)
        default: return .answer(ProviderAnswer(), log: "the topic says something that does not matter")
        }
    }

    private func receive(
        _ envelope: SNSEnvelope, _ request: ProviderRequest
    ) throws(HookError) -> ProviderVerdict {
        guard let notice = SESNotice(envelope.message) else {
            return .answer(ProviderAnswer(), log: "a notification that is no mail")
        }
        guard let mime = notice.mime else {
            return .answer(
                ProviderAnswer(), log: "the mail is not in the notification: use SES's action SNS, not \(notice.action)"
            )
        }
        let mail = try request.mail(to: notice.recipient, from: notice.sender) { consume throws(HookError) in
            try mime.lend(consume)
        }
        var delivery = ProviderVerdict.Delivery(id: envelope.id)
        delivery.boardSlug = PlusAddress.board(notice.recipients.joined(separator: ","))
        return .acceptMail(mail, delivery, ProviderAnswer())
    }

    /// Everything is kept as a mail.
    func read(_: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] { [] }

    func answer(to failure: ProviderFailure) -> ProviderAnswer { failure.answer() }
}

extension ProviderAccess {
    /// The topics whose messages count: the option `topic`, or those allowed.
    fileprivate var topics: Set<String> {
        Set(settings.allowed + [settings.options["topic"]].compactMap(\.self))
    }

    /// Off only where the admin says so: then the token in the URL and the topic have to do.
    fileprivate var wantsSignature: Bool { settings.options["signature"] != "off" }
}
