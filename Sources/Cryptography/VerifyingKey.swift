internal import COpenSSL

/// A public key that checks signatures: Ed25519 (RFC 8032), ECDSA on P-256 (FIPS 186-5), or RSA with PKCS #1 v1.5
/// padding (RFC 8017 section 8.2).
public struct VerifyingKey: Sendable {
    /// Length of a raw Ed25519 key in bytes.
    public static let ed25519Length = 32
    /// The lengths of RSA keys that are taken, in bits.
    public static let rsaLengths = 1_024...8_192
    /// What was hashed before it was signed; Ed25519 hashes by itself.
    public enum Hash: Sendable {
        /// Only for senders that have nothing better.
        case sha1
        case sha256
    }

    private enum Kind { case ed25519, p256, rsa }

    /// Several times the longest P-256 key as DER, in bytes.
    private static let longestP256 = 1_024
    /// Twice the longest RSA key as DER, in bytes.
    private static let longestRSA = 2_048

    private let key: PublicKey
    private let kind: Kind

    /// An Ed25519 key in its raw form.
    /// - Throws: `.badLength` for anything but 32 bytes, `.refused` for a point of small order.
    public init(ed25519 bytes: [UInt8]) throws(CryptographyError) {
        guard bytes.count == Self.ed25519Length else { throw .badLength }
        guard !SmallOrderPoint.isEncoded(in: bytes) else { throw .refused }
        key = try PublicKey(EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count))
        kind = .ed25519
    }

    /// A P-256 key as DER of `SubjectPublicKeyInfo` (RFC 5480).
    /// - Throws: `.refused` for another curve, another kind of key or bytes after it; `.badLength` for too many bytes.
    public init(p256 der: [UInt8]) throws(CryptographyError) {
        key = try Self.key(der, upTo: Self.longestP256)
        guard key.curve == "prime256v1" else { throw .refused }
        kind = .p256
    }

    /// An RSA key as DER of `SubjectPublicKeyInfo` (RFC 3279).
    /// - Throws: `.refused` for another kind of key or bytes after it; `.badLength` for too many bytes or bits.
    public init(rsa der: [UInt8]) throws(CryptographyError) {
        try self.init(rsa: Self.key(der, upTo: Self.longestRSA))
    }

    /// The RSA key of a certificate.
    init(rsa key: PublicKey) throws(CryptographyError) {
        guard key.isRSA else { throw .refused }
        guard Self.rsaLengths.contains(key.bits) else { throw .badLength }
        self.key = key
        kind = .rsa
    }

    /// Whether the holder of the private key signed the message.
    ///
    /// An ECDSA signature is DER, an Ed25519 one 64 bytes, an RSA one as long as the key.
    public func verifies(_ signature: [UInt8], of message: [UInt8], hash: Hash = .sha256) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        let isGood =
            EVP_DigestVerifyInit(context, nil, digest(hash), nil, key.handle) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isGood { ERR_clear_error() }
        return isGood
    }

    private func digest(_ hash: Hash) -> OpaquePointer? {
        switch (kind, hash) {
        case (.ed25519, _): nil
        case (_, .sha1): EVP_sha1()
        case (_, .sha256): EVP_sha256()
        }
    }

    private static func key(_ der: [UInt8], upTo longest: Int) throws(CryptographyError) -> PublicKey {
        guard !der.isEmpty, der.count <= longest else { throw .badLength }
        return try der.withUnsafeBufferPointer { buffer throws(CryptographyError) in
            var next = buffer.baseAddress
            let key = try PublicKey(d2i_PUBKEY(nil, &next, buffer.count))
            guard let next, let start = buffer.baseAddress, next - start == buffer.count else { throw .refused }
            return key
        }
    }
}
