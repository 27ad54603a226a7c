import CCurl
import Glibc
import PinpostCore

/// Everything that libcurl is told about one mail, freed together.
final class SMTPSetup {
    let handle: EasyHandle
    private let talk = SMTPTalk()
    private let server: StreamTarget
    private let mail: [UInt8]
    private var sent = 0
    private var recipients: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutableBufferPointer<CChar>

    init(
        _ mail: [UInt8], to recipient: MailAddress, at server: StreamTarget, as login: StreamLogin?, name: String,
        timeout: Duration
    ) throws(SMTPError) {
        self.mail = mail
        self.server = server
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0)
        do throws(HTTPExchangeError) {
            handle = try EasyHandle()
            try setServer(server, name: name, timeout: timeout)
            try handle.trust(server)
            if let login { try handle.log(in: login) }
            try setMail(to: recipient)
            try setCallbacks()
        } catch {
            throw SMTPError(.unavailable, error.detail)
        }
    }

    deinit {
        // The handle may outlive neither the list nor the text that it points to.
        handle.reset()
        curl_slist_free_all(recipients)
        errorText.deallocate()
    }

    private func setServer(_ server: StreamTarget, name: String, timeout: Duration) throws(HTTPExchangeError) {
        // The path of the URL is what EHLO says.
        try handle.set(CURLOPT_URL, server.url(of: "smtp") + name)
        try handle.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        try handle.set(CURLOPT_NOSIGNAL, 1)
        try handle.set(CURLOPT_QUICK_EXIT, 1)
        try handle.set(CURLOPT_PROXY, "")
        try handle.set(CURLOPT_NOPROXY, "*")
        try handle.set(CURLOPT_TIMEOUT_MS, max(timeout.milliseconds, 1))
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, max(min(timeout.milliseconds, 20_000), 1))
    }

    private func setMail(to recipient: MailAddress) throws(HTTPExchangeError) {
        try handle.set(CURLOPT_MAIL_FROM, "")
        recipients = curl_slist_append(nil, "<\(recipient)>")
        try handle.set(CURLOPT_MAIL_RCPT, UnsafeMutableRawPointer(recipients))
        try handle.set(CURLOPT_UPLOAD, 1)
        try handle.set(CURLOPT_INFILESIZE_LARGE, offset: mail.count)
    }

    private func setCallbacks() throws(HTTPExchangeError) {
        try handle.set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText.baseAddress))
        // Unretained: this object outlives the perform.
        let context = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_READDATA, context)
        try handle.check(ccurl_set_read(handle.pointer, giveMail))
        let listener = Unmanaged.passUnretained(talk).toOpaque()
        try handle.set(CURLOPT_HEADERDATA, listener)
        try handle.check(ccurl_set_write(handle.pointer, CURLOPT_HEADERFUNCTION, SMTPTalk.hear))
        // libcurl tells what it says only together with words about itself, which go nowhere.
        try handle.set(CURLOPT_VERBOSE, 1)
        try handle.set(CURLOPT_DEBUGDATA, listener)
        try handle.check(ccurl_set_debug(handle.pointer, SMTPTalk.say))
        try handle.check(ccurl_set_opensocket(handle.pointer, openServerSocket))
    }

    fileprivate func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = mail[sent...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        sent += piece.count
        return piece.count
    }

    /// What a failed perform means.
    func error(_ code: CURLcode) -> SMTPError {
        let written = String(decoding: errorText.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let cause = written.isEmpty ? String(cString: curl_easy_strerror(code)) : written
        let failure = StreamFailure(code, cause, at: server, after: talk.words.all)
        let said = [talk.refusal.map { "\(failure.detail): \($0)" } ?? failure.detail, remedy(of: failure.code)]
            .compactMap(\.self).joined(separator: ". ")
        return SMTPError(talk.verdict, said)
    }

    /// What the admin can do.
    private func remedy(of code: StreamError.Code) -> String? {
        switch code {
        case .wrongEncryption where server.encryption == .tls:
            "Write smtp:// in PINPOST_SMTP_URL (STARTTLS, often port 587), or the port for TLS, often 465"
        case .wrongEncryption:
            "Write smtps:// in PINPOST_SMTP_URL with the port for TLS, often 465"
        case .untrusted: "Name its authority in PINPOST_SMTP_CA_FILE"
        default: nil
        }
    }
}

private let giveMail: curl_read_callback = { buffer, size, count, context in
    guard let context, let buffer else { return 0 }
    return Unmanaged<SMTPSetup>.fromOpaque(context).takeUnretainedValue()
        .give(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
}

/// Lets the admin's server be anywhere but where clouds hand out keys.
private let openServerSocket: curl_opensocket_callback = { _, _, address in
    guard let address, let numeric = withUnsafePointer(to: &address.pointee.addr, { NumericAddress($0) }) else {
        return CURL_SOCKET_BAD
    }
    switch AddressScope(numeric) {
    case .public, .private, .loopback: break
    case .linkLocal, .metadata, .special: return CURL_SOCKET_BAD
    }
    let type = address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue)
    return socket(address.pointee.family, type, address.pointee.protocol)
}
