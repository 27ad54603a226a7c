import PinpostCore

/// Connections, TLS sessions and handles that one egress class, or one server, keeps for itself.
///
/// Nothing that carried one server's credentials is ever used for another. Only the loop's thread touches it.
final class ConnectionPool {
    enum Key: Hashable, Sendable {
        case pinry(Server.ID, origin: String, allowsPrivateNetwork: Bool, trustedPEM: String?)
        case message
        case provider(host: String)

        init(_ egress: EgressClass, _ url: ParsedURL) {
            switch egress {
            case .pinry(let server):
                self = .pinry(
                    server.id, origin: url.origin, allowsPrivateNetwork: server.allowsPrivateNetwork,
                    trustedPEM: server.caPEM)
            case .message: self = .message
            case .provider(let host): self = .provider(host: host)
            }
        }

        /// PEM certificates trusted beside the system's.
        var trustedPEM: String? {
            if case .pinry(_, _, _, let pem) = self { pem } else { nil }
        }

        /// Compressed answers only where pages are fetched.
        var decodesContent: Bool { self == .message }
    }

    private let defaults: HandleDefaults
    private var idle: [PooledHandle] = []
    private(set) var inUse = 0
    /// Counts up with every use, for throwing the oldest pool away.
    var lastUse = 0

    private static let idleLimit = 64

    init(_ key: Key, _ settings: HTTPClient.Settings) throws(HTTPExchangeError) {
        defaults = try HandleDefaults(key, settings, share: try ConnectionShare())
    }

    /// Before what they share.
    deinit { idle.removeAll() }

    func takeHandle() throws(HTTPExchangeError) -> PooledHandle {
        let handle: PooledHandle
        if let used = idle.popLast() { handle = used } else { handle = try PooledHandle(defaults) }
        inUse += 1
        return handle
    }

    func giveBack(_ handle: PooledHandle) {
        inUse -= 1
        if idle.count < Self.idleLimit { idle.append(handle) }
    }
}
