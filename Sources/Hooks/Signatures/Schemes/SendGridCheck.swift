internal import Cryptography
internal import FoundationEssentials
internal import PinpostCore

/// SendGrid's signed webhooks: ECDSA on P-256 over time and body.
struct SendGridCheck: SignatureCheck {
    private static let signature = "X-Twilio-Email-Event-Webhook-Signature"
    private static let time = "X-Twilio-Email-Event-Webhook-Timestamp"
    private static let window = ReplayWindow(seconds: 300)

    private let key: VerifyingKey

    /// The secret is the public key as SendGrid shows it, base64 of DER; PEM lines around it may stay.
    init(_ secret: Secret) throws(SignatureRefusal) {
        _ = try SharedSecret(secret)
        let lines = secret.text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        do throws(CryptographyError) {
            key = try VerifyingKey(p256: SignatureEncoding.base64.decode(lines.joined()) ?? [])
        } catch {
            throw SignatureRefusal(.secretUnusable, "SendGrid's verification key is base64 of a P-256 key.")
        }
    }

    func verify(_ request: SignedRequest, now: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        let time = try request.header(Self.time)
        let text = try request.header(Self.signature)
        let signedAt = try Self.window.check(time, in: "The header \(Self.time)", now: now)
        guard let signature = SignatureEncoding.base64.decode(text) else {
            throw .malformed("The header \(Self.signature)", "base64")
        }
        guard key.verifies(signature, of: Array(time.utf8) + request.body) else {
            throw .wrong("The header \(Self.signature)")
        }
        return VerifiedDelivery(signedAt: signedAt)
    }
}
