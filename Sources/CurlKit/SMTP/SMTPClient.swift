import CCurl
public import PinpostCore

/// Hands mails to the admin's mail server, each over a connection of its own.
///
/// The server may be anywhere but at link-local and metadata addresses: the admin named it, no message can.
public struct SMTPClient: Sendable {
    public let server: StreamTarget
    /// What we call ourselves in EHLO.
    private let name: String
    private let pool: BlockingPool
    private let timeout: Duration

    public init(_ server: StreamTarget, name: String, pool: BlockingPool, timeout: Duration = .seconds(120)) {
        self.server = server
        self.name = name
        self.pool = pool
        self.timeout = timeout
    }

    /// Sends a whole mail with the null return path, so that nothing ever comes back for it.
    ///
    /// `mail` has CR LF line ends; a mail whose last answer was lost may have arrived.
    public func send(_ mail: [UInt8], to recipient: MailAddress, as login: StreamLogin?) async throws(SMTPError) {
        let (server, name, timeout) = (server, name, timeout)
        try await pool.run { () throws(SMTPError) in
            let setup = try SMTPSetup(mail, to: recipient, at: server, as: login, name: name, timeout: timeout)
            let code = curl_easy_perform(setup.handle.pointer)
            guard code == CURLE_OK else { throw setup.error(code) }
        }
    }
}

/// A mail was not taken.
public struct SMTPError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// The server will not take this mail, now or later.
        case refused
        /// The server is there and may take this mail later; others may be taken now.
        case postponed
        /// The server takes no mail from us, until later or until the admin has acted.
        case unavailable
    }

    public let code: Code
    /// The cause in words, without secrets.
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension SMTPError: CustomStringConvertible {
    public var description: String { detail }
}
