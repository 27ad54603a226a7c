/// Where the LMTP listener is: a Unix socket, or a port of this machine.
///
/// LMTP has no passwords, so nothing else will do.
public enum LMTPEndpoint: Sendable, Hashable {
    case socket(path: String)
    case loopback(host: String, port: UInt16)

    /// Reads `/path/of/socket`, `127.0.0.1:PORT`, `localhost:PORT` or `[::1]:PORT`; nil for anything else.
    public init?(_ text: String) {
        if text.hasPrefix("/") {
            guard text.utf8.count <= 1_000, !text.hasSuffix("/"), text.utf8.allSatisfy({ $0 >= 0x20 }) else {
                return nil
            }
            self = .socket(path: text)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        switch text[..<colon].lowercased() {
        case "127.0.0.1", "localhost": self = .loopback(host: "127.0.0.1", port: port)
        case "[::1]": self = .loopback(host: "::1", port: port)
        default: return nil
        }
    }
}

extension LMTPEndpoint: CustomStringConvertible {
    public var description: String {
        switch self {
        case .socket(let path): path
        case .loopback(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }
}
