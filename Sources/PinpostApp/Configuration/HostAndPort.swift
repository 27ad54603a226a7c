/// A host and a port as people write them: `127.0.0.1:8080`, `[::1]:8080`, `pinry.lan:80`.
public struct HostAndPort: Sendable, Hashable {
    /// Without the brackets of an IPv6 address, in lower case.
    public let host: String
    public let port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// nil when there is no host, or no port from 0 to 65535.
    public init?(_ text: some StringProtocol) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            !text[text.index(after: colon)...].hasPrefix("+")
        else { return nil }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        let allowed: (Character) -> Bool = { character in
            character.isASCII && (character.isLetter || character.isNumber || ".-_".contains(character))
                || isBracketed && character == ":"
        }
        guard (1...253).contains(host.utf8.count), host.allSatisfy(allowed) else { return nil }
        self.init(host: host.lowercased(), port: port)
    }
}

extension HostAndPort {
    /// Whether only this machine reaches it, whatever a name server says: `localhost` is a name like any other.
    var isLoopback: Bool { host == "127.0.0.1" || host == "::1" }

    /// Where to reach what listens there; all addresses include the loopback one.
    var reachable: HostAndPort {
        host == "0.0.0.0" || host == "::" ? HostAndPort(host: "127.0.0.1", port: port) : self
    }
}

extension HostAndPort: CustomStringConvertible {
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
