/// Where and how a sender writes the keyed hash of a body.
public struct HMACFormat: Sendable, Hashable {
    public enum Algorithm: String, Sendable, CaseIterable {
        case sha1, sha256, sha512
    }

    public var header: String
    /// What has to stand before the signature; nil: the algorithm's name and an equals sign, or nothing.
    public var prefix: String?
    /// nil: the one that the signature names before it, else SHA-256.
    public var algorithm: Algorithm?
    /// nil: told by the length, which no two have in common.
    public var encoding: SignatureEncoding?

    public init(
        header: String = "X-Signature", prefix: String? = nil, algorithm: Algorithm? = nil,
        encoding: SignatureEncoding? = nil
    ) {
        self.header = header
        self.prefix = prefix
        self.algorithm = algorithm
        self.encoding = encoding
    }
}
