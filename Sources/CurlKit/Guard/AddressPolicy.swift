public import PinpostCore

/// Which hosts, ports and addresses a request may reach: one decision table for all egress classes, without I/O.
public struct AddressPolicy: Sendable {
    /// A host and port that the admin allows by name (`PINPOST_EGRESS_ALLOW`), whatever address it has.
    public struct Exception: Sendable, Hashable {
        let host: String
        let port: Int

        /// Reads `host:port` or `[v6]:port`; nil for anything else.
        public init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
                let url = try? ParsedURL("http://\(text)/"), url.port == port, url.path == "/", url.query == nil
            else { return nil }
            host = url.host
            self.port = port
        }
    }

    let egress: EgressClass
    private let exceptions: Set<Exception>

    public init(_ egress: EgressClass, exceptions: Set<Exception> = []) {
        self.egress = egress
        self.exceptions = exceptions
    }

    /// Judges a URL before anything is looked up; throws `.refusedAddress` with the reason.
    public func check(_ url: ParsedURL) throws(HTTPExchangeError) {
        if isException(url) { return }
        switch egress {
        case .message:
            guard url.port == 80 || url.port == 443 || (8_000...8_999).contains(url.port) else {
                throw Self.refusal("port \(url.port) of \(url.host)", "links may use ports 80, 443 and 8000–8999")
            }
            if url.address == nil, Self.isLocal(url.host) {
                throw Self.refusal(url.host, "a name of the local network")
            }
        case .pinry, .provider:
            if Self.forbiddenPorts.contains(url.port) {
                throw Self.refusal("port \(url.port) of \(url.host)", "it belongs to another protocol")
            }
        }
        if Self.metadataNames.contains(Self.withoutRootDot(url.host))
            || !allowsPrivateNetwork && Self.isLoopback(url.host)
        {
            throw Self.refusal(url.host, "a name of the local network")
        }
        if case .provider(let host) = egress, url.host != host.lowercased() {
            throw Self.refusal(url.host, "not the provider's host")
        }
        if let address = url.address { try check(address, of: url) }
    }

    /// Judges the address that a socket is about to reach, or has reached.
    public func check(_ address: NumericAddress, of url: ParsedURL) throws(HTTPExchangeError) {
        let scope = AddressScope(address)
        let isAllowed =
            switch scope {
            case .public: true
            case .private, .loopback: allowsPrivateNetwork || isException(url)
            case .linkLocal, .metadata, .special: false
            }
        if isAllowed { return }
        let target = address.description == url.host ? url.host : "\(url.host) (\(address))"
        throw Self.refusal(target, "the address is \(scope)")
    }

    /// They are few: comparing takes less than hashing a name would.
    private func isException(_ url: ParsedURL) -> Bool {
        exceptions.contains { $0.port == url.port && $0.host == url.host }
    }

    private var allowsPrivateNetwork: Bool {
        if case .pinry(let server) = egress { server.allowsPrivateNetwork } else { false }
    }

    private static func refusal(_ what: String, _ why: String) -> HTTPExchangeError {
        HTTPExchangeError(.refusedAddress, "\(what): \(why)")
    }

    /// Names that mean something else on every network.
    private static func isLocal(_ host: String) -> Bool {
        let name = withoutRootDot(host)
        let isSingleLabel = !name.contains(".")
        return isSingleLabel || [".localhost", ".local", ".internal"].contains { name.hasSuffix($0) }
    }

    /// RFC 6761, section 6.3: whatever the resolver says, these are this machine.
    private static func isLoopback(_ host: String) -> Bool {
        let name = withoutRootDot(host)
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    private static func withoutRootDot(_ host: String) -> String {
        host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// Names under which clouds hand out keys.
    private static let metadataNames: Set<String> = [
        "metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal",
        "metadata.azure.internal", "metadata.azure.com", "metadata.tencentyun.com", "metadata.packet.net",
        "metadata.platformequinix.com", "rancher-metadata",
    ]

    /// The "bad ports" of the WHATWG Fetch standard, and the usual ports of databases and caches.
    private static let forbiddenPorts: Set<Int> = [
        1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
        110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530,
        531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1_719, 1_720, 1_723, 2_049, 3_659, 4_045,
        4_190, 5_060, 5_061, 6_000, 6_566, 6_665, 6_666, 6_667, 6_668, 6_669, 6_679, 6_697, 10_080,
        3_306, 5_432, 6_379, 11_211, 27_017,
    ]
}
