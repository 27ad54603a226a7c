internal import FoundationEssentials
internal import PinpostCore

/// Stripe: `Stripe-Signature: t=…,v1=…` over time and body; the whole `whsec_…` text is the key.
struct StripeCheck: SignatureCheck {
    private static let header = "Stripe-Signature"
    private static let window = ReplayWindow(seconds: 300)
    private static let mostParts = 32

    private let secret: SharedSecret

    init(_ secret: Secret) throws(SignatureRefusal) { self.secret = try SharedSecret(secret) }

    func verify(_ request: SignedRequest, now: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        let parts = try request.header(Self.header).split(separator: ",").prefix(Self.mostParts).map { part in
            String(part).trimmed.split(separator: "=", maxSplits: 1)
        }
        let times = parts.filter { $0.count == 2 && $0[0] == "t" }
        guard times.count == 1 else { throw .malformed("The header \(Self.header)", "t=TIME,v1=SIGNATURE") }
        let time = times[0][1]
        let codes = parts.filter { $0.count == 2 && $0[0] == "v1" }.compactMap { SignatureEncoding.hex.decode($0[1]) }
        let signedAt = try Self.window.check(time, in: "The time in \(Self.header)", now: now)
        let message = Array("\(time).".utf8) + request.body
        guard codes.contains(where: { secret.made($0, of: message) }) else { throw .wrong("The header \(Self.header)") }
        return VerifiedDelivery(id: DeliveryIdentity.fields(["id"]).read(from: request), signedAt: signedAt)
    }
}
