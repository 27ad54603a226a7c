internal import FoundationEssentials
internal import PinpostCore

/// Slack: `X-Slack-Signature: v0=…` over version, time and body.
struct SlackCheck: SignatureCheck {
    private static let signature = "X-Slack-Signature"
    private static let time = "X-Slack-Request-Timestamp"
    private static let window = ReplayWindow(seconds: 300)
    /// Of an event, and of a slash command.
    private static let identity = DeliveryIdentity.fields(["event_id", "trigger_id"])

    private let secret: SharedSecret

    init(_ secret: Secret) throws(SignatureRefusal) { self.secret = try SharedSecret(secret) }

    func verify(_ request: SignedRequest, now: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        let time = try request.header(Self.time)
        let signature = try request.header(Self.signature)
        let signedAt = try Self.window.check(time, in: "The header \(Self.time)", now: now)
        guard signature.hasPrefix("v0="), let code = SignatureEncoding.hex.decode(signature.dropFirst(3)) else {
            throw .malformed("The header \(Self.signature)", "v0= and hexadecimal digits")
        }
        guard secret.made(code, of: Array("v0:\(time):".utf8) + request.body) else {
            throw .wrong("The header \(Self.signature)")
        }
        return VerifiedDelivery(id: Self.identity.read(from: request), signedAt: signedAt)
    }
}
