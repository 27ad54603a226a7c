import CCurl
import PinpostCore

/// An easy handle that a pool lends to one transfer after the other; what the pool's transfers share is set only once.
///
/// Only the loop's thread touches it.
final class PooledHandle {
    let easy: EasyHandle
    /// Whom the callbacks speak for.
    private(set) var transfer: Transfer?
    let defaults: HandleDefaults
    private var hasDefaults = false
    private let errorText: UnsafeMutableBufferPointer<CChar>

    init(_ defaults: HandleDefaults) throws(HTTPExchangeError) {
        easy = try EasyHandle()
        self.defaults = defaults
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0)
    }

    deinit {
        easy.reset()
        errorText.deallocate()
    }

    /// Readies the handle for a transfer; `release` has to follow.
    func lend(to transfer: Transfer) throws(HTTPExchangeError) {
        if !hasDefaults {
            try defaults.apply(to: easy, owner: self)
            try easy.set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText.baseAddress))
            hasDefaults = true
        }
        errorText[0] = 0
        self.transfer = transfer
    }

    /// Ends the loan: nothing of the transfer stays behind.
    ///
    /// - Parameter isPlain: A GET without secrets leaves its headers at most; everything else resets the handle.
    func release(isPlain: Bool) {
        transfer = nil
        if isPlain, (try? forgetRequest()) != nil { return }
        easy.reset()
        hasDefaults = false
    }

    private func forgetRequest() throws(HTTPExchangeError) {
        try easy.set(CURLOPT_CURLU, nil)
        try defaults.setHeaders(on: easy)
    }

    /// libcurl's own words on what went wrong: host and cause, never a header or a body.
    var errorDetail: String {
        String(decoding: errorText.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    var status: Int { ccurl_get_long(easy.pointer, CURLINFO_RESPONSE_CODE) }
}
