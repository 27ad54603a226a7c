internal import PinpostCore

/// A request to a provider, and the egress rules that hold for it.
///
/// Its address may hold a token: never log it.
struct ProviderCall: Sendable {
    var request: HTTPRequest
    var egress: EgressClass
    /// Whether the answer may be that the file lies on another host: it is fetched from there without credentials,
    /// under the rules for links.
    var mayLeadElsewhere = false

    init(_ request: HTTPRequest, as egress: EgressClass) {
        self.request = request
        self.egress = egress
    }
}

/// One step on the way to a picture.
enum MediaStep: Sendable {
    case call(ProviderCall)
    /// The body of the last answer is the file.
    case done
}

/// Why a provider's API does not give what was asked for.
public struct ProviderError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// The hook lacks a secret or an address, or the provider does not know them.
        case notConfigured
        /// Never: too large, gone, not a file.
        case refused
        /// Worth another attempt.
        case unavailable
    }

    public let code: Code
    /// For the sender; without addresses and tokens.
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}
