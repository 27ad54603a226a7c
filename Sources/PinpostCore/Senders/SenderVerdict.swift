/// Who sent a mail, as far as a server that we trust has checked it.
public struct SenderVerdict: Sendable, Hashable, Codable {
    /// What the From address rests on.
    public enum Proof: String, Sendable, Hashable, Codable {
        case dmarc, dkim, spf
    }

    /// The one address of the one From field, in lower case, its domain in ASCII; nil where there is not exactly one.
    public let from: String?
    /// nil: nobody vouches for the address.
    public let proof: Proof?
    /// In words: what was found, or what is missing.
    public let reason: String

    public init(from: String?, proof: Proof?, reason: String) {
        self.from = from
        self.proof = proof
        self.reason = reason
    }

    /// The From address, if it is the sender's.
    public var provenFrom: String? { proof == nil ? nil : from }
}
