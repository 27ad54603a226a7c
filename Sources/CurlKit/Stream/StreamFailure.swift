import CCurl

/// What a failed connection to a mail server means, in words that say where to look.
struct StreamFailure {
    let code: StreamError.Code
    let detail: String

    /// `cause` is libcurl's own text; `words` are the server's.
    init(_ status: CURLcode, _ cause: String, at target: StreamTarget, after words: [String]) {
        let place = target.host.contains(":") ? "[\(target.host)]:\(target.port)" : "\(target.host):\(target.port)"
        let reason = StreamError.Code(status)
        switch status {
        case CURLE_SSL_CONNECT_ERROR where Self.isClear(cause):
            code = .wrongEncryption
            detail = "\(place) does not speak TLS from the start (\(cause))"
        case CURLE_USE_SSL_FAILED:
            code = .wrongEncryption
            detail = "\(place) offers no STARTTLS (\(cause))"
        case CURLE_OPERATION_TIMEDOUT, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_WEIRD_SERVER_REPLY:
            code = reason
            // A server that waits for a TLS handshake says nothing, or hangs up.
            let isSilent = target.encryption != .tls && words.isEmpty && !cause.hasPrefix("Connection timed out")
            let hint = isSilent ? "; a port for TLS from the start is as silent" : ""
            detail = "\(place): \(cause)\(hint)"
        default:
            code = reason
            let isConnection = [.unreachable, .untrusted, .timedOut, .closed].contains(reason)
            detail = isConnection ? "\(place): \(cause)" : cause
        }
    }

    /// OpenSSL's words where the other side answers in the clear.
    private static func isClear(_ cause: String) -> Bool {
        ["wrong version number", "packet length too long", "unknown protocol", "http request"].contains {
            cause.contains($0)
        }
    }
}
