internal import COpenSSL
public import FoundationEssentials

/// An X.509 certificate (RFC 5280), as far as its RSA key and its days matter.
///
/// Who issued it is not asked: whoever hands it in has got it from a place that he trusts.
public struct Certificate: Sendable {
    /// Several times the longest of a single certificate, in bytes.
    public static let longestPEM = 32 << 10

    public let key: VerifyingKey
    public let notBefore: Date
    public let notAfter: Date

    /// Reads the first certificate of a PEM text (RFC 7468).
    /// - Throws: `.refused` where there is none or its key is no RSA key; `.badLength` for a text or key that is too long.
    public init(pem: [UInt8]) throws(CryptographyError) {
        guard !pem.isEmpty, pem.count <= Self.longestPEM else { throw .badLength }
        guard let certificate = Self.read(pem) else {
            ERR_clear_error()
            throw .refused
        }
        defer { X509_free(certificate) }
        key = try VerifyingKey(rsa: PublicKey(X509_get_pubkey(certificate)))
        guard let first = Self.date(X509_get0_notBefore(certificate)),
            let last = Self.date(X509_get0_notAfter(certificate))
        else { throw .refused }
        (notBefore, notAfter) = (first, last)
    }

    public func isValid(at time: Date) -> Bool { notBefore <= time && time <= notAfter }

    private static func read(_ pem: [UInt8]) -> OpaquePointer? {
        guard let input = BIO_new_mem_buf(pem, CInt(pem.count)) else { return nil }
        defer { BIO_free(input) }
        // A certificate has no password: asking for one, on the terminal, would be OpenSSL's default.
        return PEM_read_bio_X509(input, nil, { _, _, _, _ in -1 }, nil)
    }

    private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date? {
        var days: CInt = 0
        var seconds: CInt = 0
        guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
        defer { ASN1_TIME_free(epoch) }
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Date(timeIntervalSince1970: Double(days) * 86_400 + Double(seconds))
    }
}
