/// No usable answer came back from an outgoing request.
public struct HTTPExchangeError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// The URL has no http(s) scheme, no host, or credentials in it.
        case badURL
        /// The egress class forbids this address, port or name.
        case refusedAddress
        case unresolvedHost
        case connectFailed
        case tlsFailed
        case timedOut
        /// The connection broke, or the answer ended early.
        case connectionLost
        case tooLarge
        case tooManyRedirects
        /// Not sent: that host was asked enough for the moment.
        case busy
        /// The body could not be read or the answer not be stored on our side.
        case localFailure
        case cancelled
    }

    public let code: Code
    /// Host and cause, without query, credentials or tokens.
    public let detail: String
    /// Whether the other side may have acted on the request: false only when nothing of it was sent.
    public let mayHaveArrived: Bool
    /// How many redirects had been followed: above 0 it tells of another host than the one that was asked for.
    public var redirects = 0

    public init(_ code: Code, _ detail: String = "", mayHaveArrived: Bool = false) {
        self.code = code
        self.detail = detail
        self.mayHaveArrived = mayHaveArrived
    }
}

extension HTTPExchangeError: CustomStringConvertible {
    public var description: String { detail.isEmpty ? code.words : "\(code.words): \(detail)" }
}

extension HTTPExchangeError.Code {
    /// For people.
    public var words: String {
        switch self {
        case .badURL: "not a URL that can be asked"
        case .refusedAddress: "not to be reached"
        case .unresolvedHost: "the name is not known"
        case .connectFailed: "no connection"
        case .tlsFailed: "TLS failed"
        case .timedOut: "no answer in time"
        case .connectionLost: "the connection broke"
        case .tooLarge: "the answer is too large"
        case .tooManyRedirects: "too many redirects"
        case .busy: "asked enough for the moment"
        case .localFailure: "a failure on our side"
        case .cancelled: "given up"
        }
    }
}
