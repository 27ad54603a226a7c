import COpenSSL

/// The hash in Pinry's media paths and Gravatar links; nothing here depends on its strength.
enum MD5 {
    static func hex(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count = 0
        guard EVP_Q_digest(nil, "MD5", nil, bytes, bytes.count, &digest, &count) == 1 else { return "" }
        return digest.prefix(count).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
