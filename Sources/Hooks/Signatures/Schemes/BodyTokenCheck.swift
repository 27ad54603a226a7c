internal import FoundationEssentials
internal import PinpostCore

/// The secret itself as the body's field `token`: Mattermost and Rocket.Chat; nothing is signed.
struct BodyTokenCheck: SignatureCheck {
    private let secret: SharedSecret
    private let identity: DeliveryIdentity

    init(_ secret: Secret, identity: DeliveryIdentity) throws(SignatureRefusal) {
        self.secret = try SharedSecret(secret)
        self.identity = identity
    }

    func verify(_ request: SignedRequest, now _: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        let token = try BodyFields(["token"], of: request).required("token")
        guard secret.equals(Array(token.utf8)) else { throw .wrong("The field token") }
        return VerifiedDelivery(id: identity.read(from: request))
    }
}
