/// A cryptographic operation gave no result.
public enum CryptographyError: Error, Sendable, Hashable, CaseIterable {
    /// The bytes, the associated data or the key are not those that were sealed.
    case refused
    /// A key, nonce or text of a length that the algorithm does not take.
    case badLength
    /// OpenSSL failed, for want of memory.
    case failed
}
