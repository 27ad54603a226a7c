internal import COpenSSL

/// A public key that checks signatures: Ed25519 (RFC 8032) or ECDSA on P-256 with SHA-256 (FIPS 186-5).
public struct VerifyingKey: Sendable {
    /// Length of a raw Ed25519 key in bytes.
    public static let ed25519Length = 32
    /// Several times the longest P-256 key as DER, in bytes.
    private static let longestDER = 1_024

    private let handle: Handle
    private let isEd25519: Bool

    /// An Ed25519 key in its raw form.
    /// - Throws: `.badLength` for anything but 32 bytes.
    public init(ed25519 bytes: [UInt8]) throws(CryptographyError) {
        guard bytes.count == Self.ed25519Length else { throw .badLength }
        handle = try Handle(EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count))
        isEd25519 = true
    }

    /// A P-256 key as DER of `SubjectPublicKeyInfo` (RFC 5480).
    /// - Throws: `.refused` for another curve, another kind of key or bytes after it; `.badLength` for too many bytes.
    public init(p256 der: [UInt8]) throws(CryptographyError) {
        guard !der.isEmpty, der.count <= Self.longestDER else { throw .badLength }
        handle = try der.withUnsafeBufferPointer { buffer throws(CryptographyError) in
            var next = buffer.baseAddress
            let handle = try Handle(d2i_PUBKEY(nil, &next, buffer.count))
            guard let next, let start = buffer.baseAddress, next - start == buffer.count else { throw .refused }
            return handle
        }
        guard handle.curve == "prime256v1" else { throw .refused }
        isEd25519 = false
    }

    /// Whether the holder of the private key signed the message; an ECDSA signature is DER, an Ed25519 one 64 bytes.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        // Ed25519 hashes by itself and takes no other hash.
        let hash = isEd25519 ? nil : EVP_sha256()
        let isGood =
            EVP_DigestVerifyInit(context, nil, hash, nil, handle.key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isGood { ERR_clear_error() }
        return isGood
    }

    /// Owns one OpenSSL key.
    ///
    /// `@unchecked Sendable` is safe: nothing changes the key after `init`, and OpenSSL reads keys from any thread.
    private final class Handle: @unchecked Sendable {
        let key: OpaquePointer

        init(_ key: OpaquePointer?) throws(CryptographyError) {
            guard let key else {
                ERR_clear_error()
                throw .refused
            }
            self.key = key
        }

        deinit { EVP_PKEY_free(key) }

        /// OpenSSL's name of the curve; empty for a key without one.
        var curve: String {
            var name = [CChar](repeating: 0, count: 64)
            var length = 0
            guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1, length < name.count else { return "" }
            return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
