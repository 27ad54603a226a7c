import CCurl
import Glibc
import PinpostCore

/// Everything that libcurl is told before it connects and logs in.
final class StreamSetup {
    let handle: EasyHandle
    private let words: ServerWords
    private let alarm: StreamAlarm
    private let target: StreamTarget
    private let errorText: UnsafeMutableBufferPointer<CChar>

    init(
        _ target: StreamTarget, _ login: StreamLogin, alarm: StreamAlarm, words: ServerWords, timeout: Duration
    ) throws(StreamError) {
        self.words = words
        self.target = target
        self.alarm = alarm
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0)
        do throws(HTTPExchangeError) {
            handle = try EasyHandle()
            try setServer(target, timeout: timeout)
            try handle.trust(target)
            try handle.log(in: login)
            try setCallbacks()
        } catch {
            throw StreamError(.localFailure, error.detail)
        }
    }

    deinit { errorText.deallocate() }

    /// The handle lives on as a stream: nothing of this object may stay behind in it.
    func detach() {
        _ = ccurl_set_pointer(handle.pointer, CURLOPT_ERRORBUFFER, nil)
        _ = ccurl_set_pointer(handle.pointer, CURLOPT_HEADERDATA, nil)
        _ = ccurl_set_write(handle.pointer, CURLOPT_HEADERFUNCTION, nil)
        _ = ccurl_set_long(handle.pointer, CURLOPT_NOPROGRESS, 1)
        _ = ccurl_set_pointer(handle.pointer, CURLOPT_XFERINFODATA, nil)
        handle.forgetLogin()
    }

    private func setServer(_ target: StreamTarget, timeout: Duration) throws(HTTPExchangeError) {
        try handle.set(CURLOPT_URL, target.url(of: "imap"))
        try handle.set(CURLOPT_PROTOCOLS_STR, "imap,imaps")
        try handle.set(CURLOPT_CONNECT_ONLY, 1)
        // No read brings more than this, however large the caller's buffer is.
        try handle.set(CURLOPT_BUFFERSIZE, CurlStream.pieceLength)
        try handle.set(CURLOPT_NOSIGNAL, 1)
        try handle.set(CURLOPT_QUICK_EXIT, 1)
        try handle.set(CURLOPT_PROXY, target.proxy ?? "")
        if target.proxy == nil { try handle.set(CURLOPT_NOPROXY, "*") }
        try handle.set(CURLOPT_TIMEOUT_MS, max(timeout.milliseconds, 1))
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, max(min(timeout.milliseconds, 20_000), 1))
        try handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        try handle.set(CURLOPT_TCP_KEEPIDLE, 120)
        try handle.set(CURLOPT_TCP_KEEPINTVL, 30)
    }

    private func setCallbacks() throws(HTTPExchangeError) {
        try handle.set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText.baseAddress))
        // Unretained: this object outlives the perform, and `detach` takes both pointers away.
        try handle.set(CURLOPT_HEADERDATA, Unmanaged.passUnretained(words).toOpaque())
        try handle.check(ccurl_set_write(handle.pointer, CURLOPT_HEADERFUNCTION, ServerWords.keep))
        try handle.set(CURLOPT_XFERINFODATA, Unmanaged.passUnretained(alarm).toOpaque())
        try handle.check(ccurl_set_progress(handle.pointer, watchAlarm))
        try handle.set(CURLOPT_NOPROGRESS, 0)
    }

    /// What a failed perform means.
    func error(_ code: CURLcode) -> StreamError {
        let written = String(decoding: errorText.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let detail = written.isEmpty ? String(cString: curl_easy_strerror(code)) : written
        let failure = StreamFailure(code, detail, at: target, after: words.all)
        return StreamError(failure.code, failure.detail, serverWords: words.all)
    }
}

private let watchAlarm: curl_xferinfo_callback = { context, _, _, _, _ in
    guard let context else { return 0 }
    return Unmanaged<StreamAlarm>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
}
