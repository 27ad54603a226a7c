internal import Cryptography
internal import FoundationEssentials
internal import PinpostCore

/// Discord: Ed25519 over time and body.
///
/// It states no window; repeats are recognised by the interaction's id. It sends wrong signatures on purpose and
/// wants 401 for them.
struct DiscordCheck: SignatureCheck {
    private static let signature = "X-Signature-Ed25519"
    private static let time = "X-Signature-Timestamp"

    private let key: VerifyingKey

    /// The secret is the application's public key, 64 hexadecimal digits.
    init(_ secret: Secret) throws(SignatureRefusal) {
        _ = try SharedSecret(secret)
        do throws(CryptographyError) {
            key = try VerifyingKey(ed25519: SignatureEncoding.hex.decode(secret.text) ?? [])
        } catch {
            throw SignatureRefusal(.secretUnusable, "Discord's public key has 64 hexadecimal digits.")
        }
    }

    func verify(_ request: SignedRequest, now _: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        let time = try request.header(Self.time)
        let text = try request.header(Self.signature)
        guard let signature = SignatureEncoding.hex.decode(text) else {
            throw .malformed("The header \(Self.signature)", "hexadecimal")
        }
        guard let signedAt = ReplayWindow.time(time) else {
            throw .malformed("The header \(Self.time)", "a time in whole UNIX seconds")
        }
        guard key.verifies(signature, of: Array(time.utf8) + request.body) else {
            throw .wrong("The header \(Self.signature)")
        }
        return VerifiedDelivery(id: DeliveryIdentity.fields(["id"]).read(from: request), signedAt: signedAt)
    }
}
