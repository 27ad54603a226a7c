internal import FoundationEssentials
internal import PinpostCore

/// User and password of the URL (RFC 7617): Postmark and CloudMailin; nothing is signed.
struct BasicCheck: SignatureCheck {
    private let secret: SharedSecret
    private let identity: DeliveryIdentity

    /// The secret is `user:password`; the password may hold colons.
    init(_ secret: Secret, identity: DeliveryIdentity) throws(SignatureRefusal) {
        self.secret = try SharedSecret(secret)
        self.identity = identity
        guard secret.withBytes({ $0.contains(UInt8(ascii: ":")) }) else {
            throw SignatureRefusal(.secretUnusable, "The secret is USER:PASSWORD.")
        }
    }

    func verify(_ request: SignedRequest, now _: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        let parts = try request.header("Authorization").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic",
            let credentials = SignatureEncoding.base64.decode(parts[1])
        else { throw .malformed("The header Authorization", "Basic with base64") }
        guard secret.equals(credentials) else { throw .wrong("The header Authorization") }
        return VerifiedDelivery(id: identity.read(from: request))
    }
}
