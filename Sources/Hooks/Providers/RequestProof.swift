/// How a request shows that it is its provider's.
public enum RequestProof: Sendable, Hashable {
    /// Our own hook token: Bearer, Basic, or in the URL.
    case token
    /// The provider's signature, with the hook's secret.
    case signature(SignatureScheme)
    /// The signature does not cover everything: both.
    case tokenAndSignature(SignatureScheme)
    /// `receive` itself compares what was sent with the hook's secret, and refuses.
    case judged

    public var needsToken: Bool {
        switch self {
        case .token, .tokenAndSignature: true
        case .signature, .judged: false
        }
    }

    public var scheme: SignatureScheme? {
        switch self {
        case .signature(let scheme), .tokenAndSignature(let scheme): scheme
        case .token, .judged: nil
        }
    }
}
