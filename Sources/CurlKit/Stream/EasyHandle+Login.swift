import CCurl
import PinpostCore

/// How a mail server is trusted and logged in to, whatever is spoken with it.
extension EasyHandle {
    func trust(_ target: StreamTarget) throws(HTTPExchangeError) {
        if target.encryption == .starttls { try set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
        if let pin = target.pin {
            // The key itself is trusted: names and signatures of a self-made certificate say nothing more.
            try set(CURLOPT_PINNEDPUBLICKEY, pin)
            try set(CURLOPT_SSL_VERIFYPEER, 0)
            try set(CURLOPT_SSL_VERIFYHOST, 0)
        } else if let pem = target.caPEM {
            try set(CURLOPT_CAINFO_BLOB, blob: Array(pem.utf8))
            try set(CURLOPT_CAPATH, "/etc/ssl/certs")
        }
    }

    func log(in login: StreamLogin) throws(HTTPExchangeError) {
        guard login.user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw HTTPExchangeError(.localFailure, "the user name contains control characters")
        }
        try set(CURLOPT_USERNAME, login.user)
        switch login {
        case .password(_, let secret): try set(CURLOPT_PASSWORD, secret)
        case .bearer(_, let token): try set(CURLOPT_XOAUTH2_BEARER, token)
        }
    }

    func forgetLogin() {
        for option in [CURLOPT_PASSWORD, CURLOPT_XOAUTH2_BEARER] { _ = ccurl_set_pointer(pointer, option, nil) }
    }

    /// Lends the secret to libcurl, which keeps its own copy until it is forgotten, and wipes ours.
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
        try set(option, text.baseAddress)
    }
}
