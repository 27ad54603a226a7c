internal import COpenSSL
public import PinpostCore

/// Keyed hashes (RFC 2104), and the only comparison that secrets may go through.
public enum HMAC {
    public enum Hash: Sendable, CaseIterable {
        case sha1, sha256, sha512

        fileprivate var name: String {
            switch self {
            case .sha1: "SHA1"
            case .sha256: "SHA256"
            case .sha512: "SHA512"
            }
        }

        fileprivate var byteCount: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    public static func code(
        of message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, hash: Hash = .sha256
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: hash.byteCount) { buffer, count in
            // An empty buffer may have no address, and OpenSSL takes a null key for a missing one.
            let status = withUnsafePointer(to: UInt8(0)) { empty in
                EVP_Q_mac(
                    nil, "HMAC", nil, hash.name, nil, key.baseAddress ?? UnsafeRawPointer(empty), key.count,
                    message.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? empty, message.count,
                    buffer.baseAddress, hash.byteCount, &count)
            }
            // It fails only without memory or without OpenSSL's own provider: no answer would be an honest one.
            precondition(status != nil && count == hash.byteCount, "OpenSSL has no HMAC")
        }
    }

    public static func code(of message: [UInt8], key: [UInt8], hash: Hash = .sha256) -> [UInt8] {
        message.withUnsafeBytes { message in key.withUnsafeBytes { code(of: message, key: $0, hash: hash) } }
    }

    public static func code(of message: [UInt8], key: Secret, hash: Hash = .sha256) -> [UInt8] {
        message.withUnsafeBytes { message in key.withBytes { code(of: message, key: $0, hash: hash) } }
    }

    /// Whether both hold the same bytes, in a time that depends on the lengths alone.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
