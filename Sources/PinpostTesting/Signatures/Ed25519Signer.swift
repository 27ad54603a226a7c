internal import COpenSSL

/// Signs as a provider does that has a key of its own; the key is that of RFC 8032, section 7.1, test 1.
public enum Ed25519Signer {
    /// In hexadecimal, as Discord shows it.
    public static let publicKey = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    private static let seed: [UInt8] = [
        0x9D, 0x61, 0xB1, 0x9D, 0xEF, 0xFD, 0x5A, 0x60, 0xBA, 0x84, 0x4A, 0xF4, 0x92, 0xEC, 0x2C, 0xC4, 0x44, 0x49,
        0xC5, 0x69, 0x7B, 0x32, 0x69, 0x19, 0x70, 0x3B, 0xAC, 0x03, 0x1C, 0xAE, 0x7F, 0x60,
    ]

    /// The signature in hexadecimal; empty where OpenSSL cannot sign.
    public static func sign(_ message: [UInt8]) -> String {
        guard let key = EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed, seed.count),
            let context = EVP_MD_CTX_new()
        else { return "" }
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
        }
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { return "" }
        return signature.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
