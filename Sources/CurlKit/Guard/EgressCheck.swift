import Glibc
public import PinpostCore

/// Says what the guard would say to a URL, without sending a request.
public struct EgressCheck: Sendable {
    public struct Verdict: Sendable, Hashable {
        public let isAllowed: Bool
        /// Why not, in words; nil when it is allowed.
        public let reason: String?
        /// As the client understands the URL; nil when it is none.
        public let host: String?
        /// What the host leads to; empty when it does not resolve, or was refused before it was looked up.
        public let addresses: [String]

        public init(isAllowed: Bool, reason: String?, host: String?, addresses: [String]) {
            self.isAllowed = isAllowed
            self.reason = reason
            self.host = host
            self.addresses = addresses
        }
    }

    private let exceptions: Set<AddressPolicy.Exception>
    private let known: [String: [NumericAddress]]

    /// Makes a check; `known` holds addresses of hosts that stand in for the name server.
    public init(exceptions: Set<AddressPolicy.Exception> = [], known: [String: [NumericAddress]] = [:]) {
        self.exceptions = exceptions
        self.known = known.reduce(into: [:]) { $0[$1.key.lowercased()] = $1.value }
    }

    /// The class of a provider's API, whose only host is the one of the URL.
    public static func provider(of text: String) -> EgressClass {
        .provider(host: (try? ParsedURL(text).host) ?? "")
    }

    /// Judges the URL, then every address of its host: one that is forbidden is enough for a refusal.
    ///
    /// Asks the system's resolver, which may block.
    public func judge(_ text: String, as egress: EgressClass) -> Verdict {
        let policy = AddressPolicy(egress, exceptions: exceptions)
        let url: ParsedURL
        do throws(HTTPExchangeError) { url = try ParsedURL(text) } catch {
            return Verdict(isAllowed: false, reason: error.detail, host: nil, addresses: [])
        }
        do throws(HTTPExchangeError) { try policy.check(url) } catch {
            return Verdict(isAllowed: false, reason: error.detail, host: url.host, addresses: [])
        }
        let addresses = addresses(of: url)
        let names = addresses.map(\.description)
        for address in addresses {
            do throws(HTTPExchangeError) { try policy.check(address, of: url) } catch {
                return Verdict(isAllowed: false, reason: error.detail, host: url.host, addresses: names)
            }
        }
        return Verdict(isAllowed: true, reason: nil, host: url.host, addresses: names)
    }

    private func addresses(of url: ParsedURL) -> [NumericAddress] {
        if let address = url.address { return [address] }
        let host = url.host
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return known[host] ?? known[name] ?? Self.lookUp(host)
    }

    private static func lookUp(_ host: String) -> [NumericAddress] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [NumericAddress] = []
        var next = list
        while let entry = next, addresses.count < 64 {
            let address = entry.pointee.ai_addr.flatMap { NumericAddress($0) }
            if let address, !addresses.contains(address) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}
