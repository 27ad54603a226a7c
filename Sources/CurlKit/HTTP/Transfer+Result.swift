import CCurl
import PinpostCore

extension Transfer {
    /// The status of a whole answer; throws what went wrong in the caller's words.
    func status(after code: CURLcode) throws(HTTPExchangeError) -> Int {
        guard code == CURLE_OK || answer.isCut else { throw failure(for: code) }
        guard answer.hasWholeHead else {
            throw HTTPExchangeError(.connectionLost, "\(url.host): the answer broke off", mayHaveArrived: true)
        }
        return setup?.handle.status ?? 0
    }

    private func failure(for code: CURLcode) -> HTTPExchangeError {
        if let refusal { return refusal }
        let words = setup?.handle.errorDetail ?? ""
        let detail = "\(url.host): \(words.isEmpty ? String(cString: curl_easy_strerror(code)) : words)"
        return HTTPExchangeError(errorCode(for: code), detail, mayHaveArrived: isSent)
    }

    private func errorCode(for code: CURLcode) -> HTTPExchangeError.Code {
        if answer.isTooLarge { return .tooLarge }
        return switch code {
        case CURLE_FILESIZE_EXCEEDED: .tooLarge
        case CURLE_URL_MALFORMAT: .badURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unresolvedHost
        case CURLE_COULDNT_CONNECT: .connectFailed
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED:
            .tlsFailed
        case CURLE_READ_ERROR, CURLE_ABORTED_BY_CALLBACK, CURLE_OUT_OF_MEMORY, CURLE_WRITE_ERROR, CURLE_FAILED_INIT:
            .localFailure
        // Half an answer, none at all, or one that is not HTTP.
        default: isSent ? .connectionLost : .connectFailed
        }
    }
}
