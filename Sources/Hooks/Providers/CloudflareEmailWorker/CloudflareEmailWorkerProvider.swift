internal import PinpostCore

/// A worker of Cloudflare's Email Routing that posts the raw mail as it is (developers.cloudflare.com, Email Workers);
/// `hook show` writes the worker.
///
/// What the worker throws is a temporary failure for the sending server, which tries again.
struct CloudflareEmailWorkerProvider: Provider {
    let name = "cloudflare-email-worker"
    let resends = true
    /// Cloudflare takes mails of up to 25 MiB.
    let bodyLimit = 32 << 20

    func proof(of _: String) -> RequestProof { .token }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let head = RawHeader(try request.body.beginning())
        guard head.isMail else { throw HookError(.malformed, "The body has to be the raw mail.") }
        let recipient = request.header("x-envelope-to") ?? request.queryItem("to")
        var delivery = ProviderVerdict.Delivery()
        delivery.boardSlug = recipient.flatMap(PlusAddress.board)
        let sender = request.header("x-envelope-from") ?? request.queryItem("from")
        let mail = try request.mail(to: recipient, from: sender) { consume throws(HookError) in
            try request.body.source().run(until: { _ in false }, consume)
        }
        delivery.id = mail.id
        return .acceptMail(mail, delivery, ProviderAnswer())
    }

    /// Everything is kept as a mail.
    func read(_: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] { [] }

    func answer(to failure: ProviderFailure) -> ProviderAnswer { failure.answer() }
}
