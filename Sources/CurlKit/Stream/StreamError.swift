internal import CCurl

/// A stream could not be opened, or has ended.
public struct StreamError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// No address, no route, nobody listens, or the proxy refuses.
        case unreachable
        /// The server's certificate is not trusted.
        case untrusted
        /// The port speaks TLS from the start and we did not, or it offers none.
        case wrongEncryption
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

extension StreamError.Code {
    /// What a failed perform means.
    init(_ code: CURLcode) {
        self =
            switch code {
            case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_PROXY,
                CURLE_SEND_ERROR:
                .unreachable
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
                CURLE_SSL_CACERT_BADFILE:
                .untrusted
            case CURLE_USE_SSL_FAILED: .wrongEncryption
            case CURLE_LOGIN_DENIED: .loginRefused
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_ABORTED_BY_CALLBACK: .cancelled
            case CURLE_WEIRD_SERVER_REPLY, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_REMOTE_ACCESS_DENIED: .closed
            default: .localFailure
            }
    }
}
