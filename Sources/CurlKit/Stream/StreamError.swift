/// A stream could not be opened, or has ended.
public struct StreamError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// No address, no route, nobody listens, or the proxy refuses.
        case unreachable
        /// The server's certificate is not trusted, or encryption was refused.
        case untrusted
        /// The server did not let us in; its words say why.
        case loginRefused
        /// The other side has closed the connection.
        case closed
        case timedOut
        /// `StreamAlarm.cancel` was called.
        case cancelled
        /// libcurl itself failed.
        case localFailure
    }

    public let code: Code
    /// The cause in words, without secrets.
    public let detail: String
    /// What the server said until then, last line last; at most 20 lines.
    public let serverWords: [String]

    public init(_ code: Code, _ detail: String = "", serverWords: [String] = []) {
        self.code = code
        self.detail = detail
        self.serverWords = serverWords
    }
}
