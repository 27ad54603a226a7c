public import FoundationEssentials

/// How one kind of sender proves that a request is its own.
public protocol SignatureCheck: Sendable {
    /// Accepts the request, or says why not; the body counts byte by byte, as it was sent.
    func verify(_ request: SignedRequest, now: Date) throws(SignatureRefusal) -> VerifiedDelivery
}

/// What is known of a request whose signature is right.
public struct VerifiedDelivery: Sendable, Hashable {
    /// By what the sender's repeats are recognised; nil where the scheme has none, or it stands deeper in the body.
    ///
    /// GitHub, Shopify and Hookdeck do not sign it.
    public let id: String?
    /// When it was signed; nil where the scheme says nothing of time.
    public let signedAt: Date?

    public init(id: String? = nil, signedAt: Date? = nil) {
        self.id = id
        self.signedAt = signedAt
    }
}
