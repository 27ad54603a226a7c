internal import FoundationEssentials
internal import PinpostCore

/// Mailgun's routes: fields `timestamp`, `token` and `signature`, which cover each other and not the mail.
///
/// The token is the delivery id and good for one use: whoever saw one request could else send any mail with it.
struct MailgunCheck: SignatureCheck {
    private static let window = ReplayWindow(seconds: 120)

    private let secret: SharedSecret

    init(_ secret: Secret) throws(SignatureRefusal) { self.secret = try SharedSecret(secret) }

    func verify(_ request: SignedRequest, now: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        let names: Set = ["timestamp", "token", "signature"]
        // In the JSON of events the three are apart, in an object named like the signature.
        let own = try BodyFields(names, of: request)
        let fields = own.has("timestamp") ? own : try BodyFields(names, of: request, inside: "signature")
        let time = try fields.required("timestamp")
        let token = try fields.required("token")
        let signature = try fields.required("signature")
        let signedAt = try Self.window.check(time, in: "The field timestamp", now: now)
        guard let code = SignatureEncoding.hex.decode(signature) else {
            throw .malformed("The field signature", "hexadecimal")
        }
        guard secret.made(code, of: Array((time + token).utf8)) else { throw .wrong("The field signature") }
        return VerifiedDelivery(id: token, signedAt: signedAt)
    }
}
