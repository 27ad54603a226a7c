internal import PinpostCore

/// One kind of sender: what it sends, how it proves itself, and what it expects back.
///
/// An adapter only looks at bytes and names requests: `ProviderDesk` sends them, the web route stores and answers.
/// A new one is a folder beside this file and a line in `Providers`.
protocol Provider: Sendable {
    /// As typed after `hook add --provider`.
    var name: String { get }
    /// Which methods its requests have.
    var methods: [String] { get }
    /// The largest body, in bytes.
    var bodyLimit: Int { get }
    /// Whether it keeps what was answered with `.busy` and sends it again for hours; of all others everything is taken,
    /// as long as one address does not send far too much at a time.
    var resends: Bool { get }
    /// Where its API is when the hook has no `--api-base`; nil where there is none, or every installation has its own.
    var apiBase: String? { get }

    /// Whether its requests may have that behind the hook's own address in the path.
    func serves(_ path: [String]) -> Bool

    /// What `hook add` has to be given.
    var needs: ProviderNeeds { get }

    /// The signature that may be wanted beside our own token: checked by `receive` where the hook has a secret.
    var additionalScheme: SignatureScheme? { get }

    /// Whether a hook that has a secret needs no token of ours beside it: the secret proves the whole request.
    var secretReplacesToken: Bool { get }

    /// How a request of that method shows that it is the provider's.
    func proof(of method: String) -> RequestProof

    /// Where the signature stands and how it is written, where an admin says so.
    func signatureFormat(_ settings: HookSettings) throws(SignatureRefusal) -> HMACFormat

    /// The answer to a probe that is sent without any proof and changes nothing; nil for everything else.
    func probe(_ body: StoredDelivery) -> ProviderAnswer?

    /// What has to be fetched before `receive` can judge, for example a certificate; its answer is in
    /// `ProviderRequest.fetched` then.
    func inquiry(about request: ProviderRequest) throws(HookError) -> ProviderCall?

    /// Decides about a request whose proof was right: answer, refuse, or keep it.
    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict

    /// What the stored body says, one draft for each post: own words in `text`, links that are not among the words
    /// in `links`, media in order, `source` where it is known, `skipped` with the reason.
    ///
    /// Members of an album are read one by one and then joined.
    func read(_ delivery: StoredDelivery, into intake: Intake) throws(HookError) -> [Draft]

    /// The next call on the way to a picture, or that the bytes of the last answer are it; `answers` has what the
    /// calls before gave, each with a status of 2xx.
    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep

    /// How the sender is told what became of his message; empty where there is no way.
    func reply(_ report: ProviderReport, to target: ReplyTarget, with access: ProviderAccess) -> [ProviderCall]

    /// Why the hook cannot fetch files, and the remedy; nil: it can.
    ///
    /// They are left out with that reason then, and the links beside them are pinned.
    func obstacle(toFilesWith access: ProviderAccess) -> String?

    /// How long an Undo may be tried before its person has to be told what came of it, in seconds.
    var undoPatience: Double { get }

    /// How the person is told what became of an Undo; empty where there is no way.
    func tell(_ undo: UndoReport, with access: ProviderAccess) -> [ProviderCall]

    /// The provider's stop code for what is wrong for good, its retry code for what may pass.
    func answer(to failure: ProviderFailure) -> ProviderAnswer

    /// What `hook add` has to tell the provider, for example its address; `url` is the hook's own.
    func registration(of url: String, with access: ProviderAccess) throws(ProviderError) -> [ProviderCall]
}

extension Provider {
    var methods: [String] { ["POST"] }
    var bodyLimit: Int { 1 << 20 }
    var resends: Bool { false }
    var apiBase: String? { nil }

    var additionalScheme: SignatureScheme? { nil }
    var secretReplacesToken: Bool { additionalScheme != nil }

    func serves(_ path: [String]) -> Bool { path.isEmpty }

    var needs: ProviderNeeds {
        ProviderNeeds(
            secret: proof(of: "POST").scheme == nil ? .none : .given, needsToken: false, needsAPIBase: false)
    }

    func signatureFormat(_: HookSettings) throws(SignatureRefusal) -> HMACFormat { HMACFormat() }

    func probe(_: StoredDelivery) -> ProviderAnswer? { nil }

    /// The answer to a body of so many bytes if that is a probe: what is answered without any proof is short.
    func answer(toProbe body: StoredDelivery, of count: Int) -> ProviderAnswer? {
        count <= 4 << 10 ? probe(body) : nil
    }

    func inquiry(about _: ProviderRequest) throws(HookError) -> ProviderCall? { nil }

    func fetch(
        _: MediaReference, with _: ProviderAccess, after _: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        throw ProviderError(.refused, "This sender has no files to fetch.")
    }

    func reply(_: ProviderReport, to _: ReplyTarget, with _: ProviderAccess) -> [ProviderCall] { [] }

    func obstacle(toFilesWith _: ProviderAccess) -> String? { nil }

    var undoPatience: Double { OwedReply.orderPatience }

    func tell(_ undo: UndoReport, with access: ProviderAccess) -> [ProviderCall] {
        reply(ProviderReport(undo), to: undo.target, with: access)
    }

    func answer(to failure: ProviderFailure) -> ProviderAnswer { failure.standardAnswer }

    func registration(of _: String, with _: ProviderAccess) throws(ProviderError) -> [ProviderCall] { [] }
}
