import CCurl
import Glibc
import PinpostCore

/// Everything that libcurl is told before it connects and logs in.
final class StreamSetup {
    let handle: EasyHandle
    private let words: ServerWords
    private let alarm: StreamAlarm
    private let errorText: UnsafeMutableBufferPointer<CChar>

    init(
        _ target: StreamTarget, _ login: StreamLogin, alarm: StreamAlarm, words: ServerWords, timeout: Duration
    ) throws(StreamError) {
        self.words = words
        self.alarm = alarm
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0)
        do throws(HTTPExchangeError) {
            handle = try EasyHandle()
            try setServer(target, timeout: timeout)
            try setTrust(target)
            try setLogin(login)
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
        for option in [CURLOPT_PASSWORD, CURLOPT_XOAUTH2_BEARER] { _ = ccurl_set_pointer(handle.pointer, option, nil) }
    }

    private func setServer(_ target: StreamTarget, timeout: Duration) throws(HTTPExchangeError) {
        try handle.set(CURLOPT_URL, target.url)
        try handle.set(CURLOPT_PROTOCOLS_STR, "imap,imaps")
        try handle.set(CURLOPT_CONNECT_ONLY, 1)
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

    private func setTrust(_ target: StreamTarget) throws(HTTPExchangeError) {
        if target.encryption == .starttls { try handle.set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
        if let pin = target.pin {
            // The key itself is trusted: names and signatures of a self-made certificate say nothing more.
            try handle.set(CURLOPT_PINNEDPUBLICKEY, pin)
            try handle.set(CURLOPT_SSL_VERIFYPEER, 0)
            try handle.set(CURLOPT_SSL_VERIFYHOST, 0)
        } else if let pem = target.caPEM {
            try handle.set(CURLOPT_CAINFO_BLOB, blob: Array(pem.utf8))
            try handle.set(CURLOPT_CAPATH, "/etc/ssl/certs")
        }
    }

    private func setLogin(_ login: StreamLogin) throws(HTTPExchangeError) {
        guard login.user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw HTTPExchangeError(.localFailure, "the user name contains control characters")
        }
        try handle.set(CURLOPT_USERNAME, login.user)
        switch login {
        case .password(_, let secret): try set(CURLOPT_PASSWORD, secret)
        case .bearer(_, let token): try set(CURLOPT_XOAUTH2_BEARER, token)
        }
    }

    /// Lends the secret to libcurl, which keeps its own copy until `detach`, and wipes ours.
    private func set(_ option: CURLoption, _ secret: Secret) throws(HTTPExchangeError) {
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: secret.count + 1, alignment: 1)
        defer {
            Secret.wipe(text)
            text.deallocate()
        }
        let isText = secret.withBytes { bytes in
            text.copyMemory(from: bytes)
            return !bytes.contains { $0 == 0 || $0 == 10 || $0 == 13 }
        }
        text[secret.count] = 0
        guard isText else {
            throw HTTPExchangeError(.localFailure, "the password contains characters that no login can carry")
        }
        try handle.set(option, text.baseAddress)
    }

    private func setCallbacks() throws(HTTPExchangeError) {
        try handle.set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText.baseAddress))
        // Unretained: this object outlives the perform, and `detach` takes both pointers away.
        try handle.set(CURLOPT_HEADERDATA, Unmanaged.passUnretained(words).toOpaque())
        try handle.check(ccurl_set_write(handle.pointer, CURLOPT_HEADERFUNCTION, keepWords))
        try handle.set(CURLOPT_XFERINFODATA, Unmanaged.passUnretained(alarm).toOpaque())
        try handle.check(ccurl_set_progress(handle.pointer, watchAlarm))
        try handle.set(CURLOPT_NOPROGRESS, 0)
    }

    /// What a failed perform means.
    func error(_ code: CURLcode) -> StreamError {
        let written = String(decoding: errorText.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let detail = written.isEmpty ? String(cString: curl_easy_strerror(code)) : written
        return StreamError(Self.code(for: code), detail, serverWords: words.all)
    }

    private static func code(for code: CURLcode) -> StreamError.Code {
        switch code {
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_PROXY,
            CURLE_SEND_ERROR:
            .unreachable
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_USE_SSL_FAILED, CURLE_SSL_CACERT_BADFILE:
            .untrusted
        case CURLE_LOGIN_DENIED: .loginRefused
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_WEIRD_SERVER_REPLY, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_REMOTE_ACCESS_DENIED: .closed
        default: .localFailure
        }
    }
}

private let keepWords: curl_write_callback = { data, size, count, context in
    guard let context else { return 0 }
    let line = UnsafeRawBufferPointer(start: data, count: size * count)
    Unmanaged<ServerWords>.fromOpaque(context).takeUnretainedValue().take(line)
    return line.count
}

private let watchAlarm: curl_xferinfo_callback = { context, _, _, _, _ in
    guard let context else { return 0 }
    return Unmanaged<StreamAlarm>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
}
