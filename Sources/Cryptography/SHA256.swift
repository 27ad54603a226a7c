internal import COpenSSL

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
///
/// One owner, one thread at a time; for bytes that are all there, `SHA256.hash` is shorter.
public struct SHA256: ~Copyable {
    /// Length of a digest in bytes.
    public static let byteCount = 32

    private let context: OpaquePointer

    /// Looked up once, which costs more than hashing a kilobyte; OpenSSL never changes it afterwards.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    public init() {
        context = Self.made(EVP_MD_CTX_new())
        start()
    }

    deinit { EVP_MD_CTX_free(context) }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return }
        Self.check(EVP_DigestUpdate(context, base, bytes.count))
    }

    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The digest of everything so far; afterwards a new one begins.
    public mutating func finish() -> [UInt8] {
        let digest = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
            Self.check(EVP_DigestFinal_ex(context, buffer.baseAddress, nil))
            count = Self.byteCount
        }
        start()
        return digest
    }

    private func start() { Self.check(EVP_DigestInit_ex(context, Self.algorithm, nil)) }

    /// The digest of bytes that are all there; 32 bytes.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            check(EVP_Digest(bytes.baseAddress, bytes.count, buffer.baseAddress, nil, algorithm, nil))
            count = byteCount
        }
    }

    public static func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { hash($0) } }

    /// The digest of the text's UTF-8 bytes.
    public static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }

    /// Hashing fails only without memory or without OpenSSL's own provider: no answer would be an honest one.
    private static func check(_ status: CInt) { precondition(status == 1, "OpenSSL has no SHA-256") }

    private static func made(_ context: OpaquePointer?) -> OpaquePointer {
        guard let context else { preconditionFailure("OpenSSL has no memory for SHA-256") }
        return context
    }
}
