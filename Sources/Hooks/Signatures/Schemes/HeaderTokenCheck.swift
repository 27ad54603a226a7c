internal import FoundationEssentials
internal import PinpostCore

/// The secret itself in a header; nothing is signed.
struct HeaderTokenCheck: SignatureCheck {
    private let secret: SharedSecret
    private let header: String
    private let identity: DeliveryIdentity

    init(_ secret: Secret, header: String, identity: DeliveryIdentity) throws(SignatureRefusal) {
        self.secret = try SharedSecret(secret)
        self.header = header
        self.identity = identity
    }

    /// What `setWebhook` takes as `secret_token`.
    static func telegram(_ secret: Secret) throws(SignatureRefusal) -> HeaderTokenCheck {
        let check = try HeaderTokenCheck(
            secret, header: "X-Telegram-Bot-Api-Secret-Token", identity: .fields(["update_id"]))
        let isInForm = secret.withBytes { bytes in bytes.count <= 256 && bytes.allSatisfy(\.isTelegramTokenByte) }
        guard isInForm else {
            throw SignatureRefusal(.secretUnusable, "Telegram takes 1 to 256 letters, digits, _ and - as secret token.")
        }
        return check
    }

    func verify(_ request: SignedRequest, now _: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        guard secret.equals(Array(try request.header(header).utf8)) else { throw .wrong("The header \(header)") }
        return VerifiedDelivery(id: identity.read(from: request))
    }
}

extension UInt8 {
    fileprivate var isTelegramTokenByte: Bool {
        isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || "_-".utf8.contains(self)
    }
}
