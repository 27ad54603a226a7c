import FoundationEssentials
import Hooks
import PinpostCore

extension Command {
    private static let providers = SignatureScheme.allCases.map(\.rawValue)
    private static let provider = Flag<SignatureScheme>(
        "provider", "PROVIDER", "who signed; one of those below",
        expected: "one of \(providers.joined(separator: ", "))"
    ) { SignatureScheme(rawValue: $0) }
    private static let secretFile = Flag("secret-file", "FILE", "the secret or public key")
    private static let headers = Flag("headers", "FILE", "the request's headers, a `Name: value` on each line")
    private static let body = Flag("body", "FILE", "the request's body, byte by byte; - is standard input")
    private static let url = Flag("url", "URL", "the address that the sender was given; Twilio signs it")
    private static let now = Flag("now", "UNIX", "judge as of this time in seconds", in: 0...253_402_300_799)
    private static let header = Flag(
        "header", "NAME", "of generic-hmac: where the signature is; X-Signature without it")
    private static let prefix = Flag("prefix", "TEXT", "of generic-hmac: what stands before the signature")
    private static let algorithm = Flag<HMACFormat.Algorithm>("algorithm", "of generic-hmac: the hash")
    private static let encoding = Flag<SignatureEncoding>("encoding", "of generic-hmac: how the signature is written")

    static let hookVerify = Command(
        "hook verify", "say whether a recorded webhook call is its sender's, and store nothing",
        flags: [
            AnyFlag(provider), AnyFlag(secretFile), AnyFlag(headers), AnyFlag(body), AnyFlag(url), AnyFlag(now),
            AnyFlag(header), AnyFlag(prefix), AnyFlag(algorithm), AnyFlag(encoding),
        ],
        notes: """
            Providers: \(providers.prefix(8).joined(separator: ", ")),
            \(providers.dropFirst(8).prefix(8).joined(separator: ", ")),
            \(providers.dropFirst(16).joined(separator: ", ")).
            Of sns the secret is the certificate in PEM; lines that begin with arn: before it name the only topics.

            Whether a delivery came before is not asked: its id is printed. Refused calls end with 77.

            """
    ) { arguments, context in
        let scheme = try arguments.required(provider)
        let format = HMACFormat(
            header: try arguments.value(header) ?? HMACFormat().header, prefix: try arguments.value(prefix),
            algorithm: try arguments.value(algorithm), encoding: try arguments.value(encoding))
        guard scheme == .genericHMAC || format == HMACFormat() else {
            throw UsageError("--header, --prefix, --algorithm and --encoding are for --provider generic-hmac alone.")
        }
        let secret = try context.signingSecret(from: try arguments.required(secretFile))
        let request = SignedRequest(
            headers: try RecordedHeaders.parse(
                try arguments.value(headers).map { path in
                    try context.text(of: path, flag: "--headers")
                } ?? ""),
            body: try context.wholeFile(try arguments.required(body), limit: ExplainedFile.limit),
            url: try arguments.value(url))
        let time = try arguments.value(now).map { Date(timeIntervalSince1970: Double($0)) } ?? Date()
        let report = await context.pool.run {
            VerificationReport(of: request, scheme: scheme, secret: secret, format: format, now: time)
        }
        try context.print(report) { $0.text }
        return report.accepted ? .done : .notAllowed
    }
}

/// What `hook verify` prints.
private struct VerificationReport: Encodable, Sendable {
    let accepted: Bool
    let provider: String
    var id: String?
    /// In UNIX seconds.
    var timestamp: Int?
    /// The refusal's code and its sentence.
    var reason: String?
    var detail: String?

    init(of request: SignedRequest, scheme: SignatureScheme, secret: Secret, format: HMACFormat, now: Date) {
        provider = scheme.rawValue
        do throws(SignatureRefusal) {
            let delivery = try scheme.check(secret: secret, format: format).verify(request, now: now)
            accepted = true
            id = delivery.id
            timestamp = delivery.signedAt.map { Int($0.timeIntervalSince1970) }
        } catch {
            accepted = false
            reason = error.code.rawValue.snakeCased
            detail = error.detail
        }
    }

    var text: String {
        guard accepted else { return "refused: \(detail ?? "")\n" }
        var text = "accepted"
        if let id { text += ", delivery \(id)" }
        if let timestamp { text += ", signed at \(timestamp)" }
        return text + "\n"
    }
}
