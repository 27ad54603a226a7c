internal import COpenSSL
public import PinpostCore

/// Authenticated encryption with AES-256 in Galois/Counter Mode (NIST SP 800-38D), 96-bit nonces, 128-bit tags.
public enum AES256GCM {
    public static let keyLength = 32
    public static let nonceLength = 12
    public static let tagLength = 16
    /// Far above any secret, far below where OpenSSL's 32-bit lengths end; in bytes.
    public static let longestText = 1 << 20

    /// Encrypts into the ciphertext followed by the tag; a nonce serves one key once.
    public static func seal(
        _ text: Secret, key: Secret, nonce: [UInt8], authenticating data: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        guard text.count <= longestText, data.count <= longestText else { throw .badLength }
        let context = try Context()
        try context.start(key: key, nonce: nonce, encrypts: true)
        try context.authenticate(data)
        return try text.withBytes { bytes throws(CryptographyError) in
            var sealed = [UInt8](repeating: 0, count: bytes.count + tagLength)
            try context.process(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count, into: &sealed)
            try context.finish(into: &sealed)
            return sealed
        }
    }

    /// Decrypts what `seal` made.
    /// - Throws: `.refused` for any changed bit, wrong key, nonce or associated data; `.badLength` for a cut record.
    public static func open(
        _ sealed: [UInt8], key: Secret, nonce: [UInt8], authenticating data: [UInt8]
    ) throws(CryptographyError) -> Secret {
        guard sealed.count >= tagLength, sealed.count <= longestText + tagLength, data.count <= longestText else {
            throw .badLength
        }
        let context = try Context()
        try context.start(key: key, nonce: nonce, encrypts: false)
        try context.authenticate(data)
        try context.expect(tag: Array(sealed.suffix(tagLength)))
        var text = [UInt8](repeating: 0, count: sealed.count - tagLength)
        // Nobody sees the text before the tag is checked; a refused one is wiped like a good one.
        defer { text.withUnsafeMutableBytes { Secret.wipe($0) } }
        try context.process(sealed, count: text.count, into: &text)
        try context.verify()
        return Secret(copying: text)
    }

    /// Owns one OpenSSL cipher context.
    private struct Context: ~Copyable {
        private let handle: OpaquePointer

        init() throws(CryptographyError) {
            guard let handle = EVP_CIPHER_CTX_new() else { throw .failed }
            self.handle = handle
        }

        deinit { EVP_CIPHER_CTX_free(handle) }

        func start(key: Secret, nonce: [UInt8], encrypts: Bool) throws(CryptographyError) {
            guard key.count == keyLength, nonce.count == nonceLength else { throw .badLength }
            let status = key.withBytes {
                EVP_CipherInit_ex(
                    handle, EVP_aes_256_gcm(), nil, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nonce,
                    encrypts ? 1 : 0)
            }
            guard status == 1 else { throw .failed }
        }

        func authenticate(_ data: [UInt8]) throws(CryptographyError) {
            guard !data.isEmpty else { return }
            var length: CInt = 0
            guard EVP_CipherUpdate(handle, nil, &length, data, CInt(data.count)) == 1 else { throw .failed }
        }

        func process(
            _ bytes: UnsafePointer<UInt8>?, count: Int, into output: inout [UInt8]
        ) throws(CryptographyError) {
            guard count > 0 else { return }
            var length: CInt = 0
            guard EVP_CipherUpdate(handle, &output, &length, bytes, CInt(count)) == 1, Int(length) == count else {
                throw .failed
            }
        }

        /// Ends encryption and writes the tag over the last bytes of `sealed`.
        func finish(into sealed: inout [UInt8]) throws(CryptographyError) {
            var length: CInt = 0
            var rest = [UInt8](repeating: 0, count: tagLength)
            var tag = rest
            guard EVP_CipherFinal_ex(handle, &rest, &length) == 1,
                EVP_CIPHER_CTX_ctrl(handle, EVP_CTRL_AEAD_GET_TAG, CInt(tagLength), &tag) == 1
            else { throw .failed }
            sealed.replaceSubrange((sealed.count - tagLength)..., with: tag)
        }

        func expect(tag: [UInt8]) throws(CryptographyError) {
            var tag = tag
            guard EVP_CIPHER_CTX_ctrl(handle, EVP_CTRL_AEAD_SET_TAG, CInt(tagLength), &tag) == 1 else { throw .failed }
        }

        func verify() throws(CryptographyError) {
            var length: CInt = 0
            var rest = [UInt8](repeating: 0, count: tagLength)
            guard EVP_CipherFinal_ex(handle, &rest, &length) == 1 else { throw .refused }
        }
    }
}
