internal import COpenSSL
public import PinpostCore

/// Derives keys from a key (RFC 5869) with SHA-256.
public enum HKDF {
    /// What RFC 5869 section 2.3 allows for SHA-256, in bytes.
    public static let longestOutput = 255 * SHA256.byteCount

    /// Derives `count` bytes; equal inputs give equal keys.
    /// - Throws: `.badLength` for an empty key or a count outside 1…8,160.
    public static func derive(
        from key: Secret, salt: [UInt8], info: [UInt8], count: Int
    ) throws(CryptographyError) -> Secret {
        guard key.count > 0, (1...longestOutput).contains(count) else { throw .badLength }
        var status: CInt = 0
        var output = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            status = key.withBytes {
                pinpost_hkdf_sha256(
                    $0.baseAddress, $0.count, salt, salt.count, info, info.count, buffer.baseAddress, count)
            }
            buffer.baseAddress?.initialize(repeating: 0, count: status == 1 ? 0 : count)
            initialized = count
        }
        defer { output.removeAll() }
        let derived = Secret(taking: &output)
        guard status == 1 else { throw .failed }
        return derived
    }
}
