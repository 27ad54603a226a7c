internal import Cryptography
internal import FoundationEssentials
internal import PinpostCore

/// Postal: RSA over the body, with SHA-256, of older installations with SHA-1.
struct PostalCheck: SignatureCheck {
    private static let headers: [(name: String, hash: VerifyingKey.Hash)] = [
        ("X-Postal-Signature-256", .sha256), ("X-Postal-Signature", .sha1),
    ]

    private let key: VerifyingKey

    /// The secret is the installation's public key: PEM, or the `p=` of its DKIM record.
    init(_ secret: Secret) throws(SignatureRefusal) {
        _ = try SharedSecret(secret)
        let lines = secret.text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        do throws(CryptographyError) {
            key = try VerifyingKey(rsa: SignatureEncoding.base64.decode(lines.joined()) ?? [])
        } catch {
            throw SignatureRefusal(.secretUnusable, "Postal's key is base64 of an RSA key.")
        }
    }

    func verify(_ request: SignedRequest, now _: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        let newer = try request.optionalHeader(Self.headers[0].name)
        let older = try request.optionalHeader(Self.headers[1].name)
        let (name, hash) = Self.headers[newer == nil && older != nil ? 1 : 0]
        guard let signature = SignatureEncoding.base64.decode(try request.header(name)) else {
            throw .malformed("The header \(name)", "base64")
        }
        guard key.verifies(signature, of: request.body, hash: hash) else { throw .wrong("The header \(name)") }
        return VerifiedDelivery(id: DeliveryIdentity.fields(["id"]).read(from: request))
    }
}
