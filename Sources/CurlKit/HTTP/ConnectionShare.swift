import CCurl
import PinpostCore

/// Owns what libcurl's handles share: connections and TLS sessions; it goes after the last handle that uses it.
final class ConnectionShare {
    let pointer: UnsafeMutableRawPointer

    init() throws(HTTPExchangeError) {
        CurlLibrary.start()
        guard let pointer = curl_share_init() else {
            throw HTTPExchangeError(.localFailure, "libcurl gave no connection pool")
        }
        // Locks are not needed: one thread uses it.
        _ = ccurl_share_connections(pointer)
        self.pointer = pointer
    }

    deinit { curl_share_cleanup(pointer) }
}
