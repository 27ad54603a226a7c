public import PinpostCore

/// A mail server, and how its connection is protected.
public struct StreamTarget: Sendable, Hashable {
    public enum Encryption: String, Sendable, Codable, CaseIterable {
        /// From the first byte on.
        case tls
        /// In the clear at first, then upgraded; a server that will not is an error.
        case starttls
        /// Never; for loopback.
        case none
    }

    public var host: String
    public var port: Int
    public var encryption: Encryption
    /// PEM certificates trusted for this server beside the system's.
    public var caPEM: String?
    /// `sha256//` and the base64 digest of the server's public key: this key is trusted, whoever signed it.
    public var pin: String?
    /// `http://HOST:PORT` or `socks5h://HOST:PORT`.
    public var proxy: String?

    public init(
        host: String, port: Int, encryption: Encryption, caPEM: String? = nil, pin: String? = nil,
        proxy: String? = nil
    ) {
        self.host = host
        self.port = port
        self.encryption = encryption
        self.caPEM = caPEM
        self.pin = pin
        self.proxy = proxy
    }

    /// The server as libcurl takes it; `scheme` is that of the unencrypted protocol.
    func url(of scheme: String) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(encryption == .tls ? scheme + "s" : scheme)://\(name):\(port)/"
    }
}

/// Who we are to the server.
public enum StreamLogin: Sendable {
    case password(user: String, Secret)
    /// An OAuth 2 access token: OAUTHBEARER (RFC 7628), or XOAUTH2 where the server has only that.
    case bearer(user: String, Secret)

    var user: String {
        switch self {
        case .password(let user, _), .bearer(let user, _): user
        }
    }
}
