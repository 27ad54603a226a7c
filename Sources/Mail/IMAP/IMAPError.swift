internal import CurlKit
public import PinpostCore

/// A mail server, or the way to it, did not do what was asked.
public struct IMAPError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// Nobody answers at that host and port.
        case unreachable
        /// The certificate is not trusted.
        case untrusted
        /// The port speaks TLS from the start and we did not, or it offers none.
        case wrongEncryption
        /// Nobody has allowed us to read it yet (OAuth2); the detail is the mailbox's name.
        case notAuthorized
        /// The user name or password is wrong, or this way of logging in is switched off.
        case loginRefused
        /// The server asks to come back later: busy, throttled, in maintenance.
        case busy
        /// The connection broke off.
        case closed
        /// No answer in time.
        case timedOut
        /// We stopped it.
        case cancelled
        /// What came is not IMAP, or over a limit.
        case broken
        /// One command was refused; the connection goes on.
        case refused
        /// Our own store could not take it.
        case storeFailed
        /// Our own side failed otherwise.
        case localFailure
    }

    public let code: Code
    /// The cause, with the server's own words where it said any; no secrets.
    public let detail: String
    /// What stands in brackets before the server's words (RFC 5530), in capitals: `AUTHENTICATIONFAILED`.
    public let responseCode: String?
    /// Set for `.storeFailed` alone.
    public let cause: StoreError?

    public init(_ code: Code, _ detail: String = "", responseCode: String? = nil, cause: StoreError? = nil) {
        self.code = code
        self.detail = detail
        self.responseCode = responseCode
        self.cause = cause
    }

    init(_ error: StoreError) { self.init(.storeFailed, error.description, cause: error) }
}

extension IMAPError: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String {
        let cause =
            switch code {
            case .unreachable: "The mail server cannot be reached."
            case .untrusted: "The mail server's certificate is not trusted."
            case .wrongEncryption: "The mail server's port wants another --encryption."
            case .notAuthorized: "Nobody has allowed Pinpost yet to read this mailbox."
            case .loginRefused: "The mail server refuses the login."
            case .busy: "The mail server is busy; it is tried again later."
            case .closed: "The mail server has closed the connection."
            case .timedOut: "The mail server does not answer."
            case .cancelled: "Stopped."
            case .broken: "The mail server's answer cannot be understood."
            case .refused: "The mail server refuses a command."
            case .storeFailed: "What came cannot be stored."
            case .localFailure: "The connection to the mail server failed here."
            }
        let told = detail.isEmpty || code == .notAuthorized ? cause : "\(cause) It says: \(detail)"
        return [told, remedy].compactMap(\.self).joined(separator: " ")
    }

    public var debugDescription: String { "IMAPError.\(code.rawValue) \(responseCode ?? "") \(detail)" }

    /// What a person has to do; nil where waiting is enough.
    public var remedy: String? {
        switch code {
        case .untrusted:
            "Give its authority with --ca-file, or its key with --pin."
        case .wrongEncryption: "Try --encryption tls with port 993, or --encryption starttls with port 143."
        case .notAuthorized: "Run `pinpost mailbox authorize \(detail)`."
        case .loginRefused where responseCode == "invalid_grant":
            "The permission has ended: run `pinpost mailbox authorize` once more."
        case .loginRefused where LoginWords.wantOAuth2(detail):
            "This provider needs OAuth2: see `pinpost mailbox set --help`."
        case .loginRefused where LoginWords.wantAppPassword(detail):
            "Make an app password at the provider and give it with `pinpost mailbox set --password-file`."
        case .loginRefused:
            "Check user name and password; providers with two-factor login want an app password or OAuth2."
        default: nil
        }
    }
}

extension IMAPError {
    /// Reads libcurl's verdict together with what the server said.
    init(_ error: StreamError) {
        switch error.code {
        case .unreachable: self.init(.unreachable, error.detail)
        case .untrusted: self.init(.untrusted, error.detail)
        case .wrongEncryption: self.init(.wrongEncryption, error.detail)
        case .timedOut: self.init(.timedOut, error.detail)
        case .cancelled: self.init(.cancelled)
        case .localFailure: self.init(.localFailure, error.detail)
        case .loginRefused, .closed: self = LoginWords(error).verdict
        }
    }
}
