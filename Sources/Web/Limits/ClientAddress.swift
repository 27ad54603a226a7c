/// Whose address counts: the other side of the connection, or what a proxy that we trust says of it.
enum ClientAddress {
    /// More entries than proxies stand in a row.
    private static let mostHops = 32

    /// Goes through the forwarding field from its end, as long as the one who wrote an entry is a trusted proxy.
    ///
    /// nil where the peer's address is not known. Everything that an untrusted peer wrote is ignored.
    static func of(_ head: RequestHead, trusting proxies: [AddressRange]) -> NetworkAddress? {
        guard var client = NetworkAddress(head.peer) else { return nil }
        guard proxies.contains(where: { $0.contains(client) }) else { return client }
        for entry in entries(head).suffix(mostHops).reversed() {
            guard proxies.contains(where: { $0.contains(client) }), let next = NetworkAddress(entry) else { break }
            client = next
        }
        return client
    }

    /// Who was served by whom, the first client first: `X-Forwarded-For`, and only without it `Forwarded` (RFC 7239).
    private static func entries(_ head: RequestHead) -> [Substring] {
        let lists = values("x-forwarded-for", of: head)
        guard lists.isEmpty else { return lists.map { address($0.drop { $0 == " " }.prefix { $0 != " " }) } }
        return values("forwarded", of: head).map(node)
    }

    /// A comma in quotes separates as well: what a client began to quote must not swallow what the proxy says of it.
    private static func values(_ name: String, of head: RequestHead) -> [Substring] {
        head.fields.filter { $0.name == name }.flatMap { $0.value.split(separator: ",") }
    }

    /// `for="[2001:db8::17]:4711";proto=https` names `2001:db8::17`; empty for a name that is no address.
    private static func node(_ element: Substring) -> Substring {
        let pairs = element.split(separator: ";").map { $0.drop { $0 == " " } }
        guard let pair = pairs.first(where: { $0.prefix(4).lowercased() == "for=" }) else { return "" }
        let node = pair.dropFirst(4).drop { $0 == "\"" }.prefix { $0 != "\"" && $0 != " " }
        return address(node)
    }

    /// Without brackets and port, which some proxies write in either field; IPv6 without brackets has no port.
    private static func address(_ node: Substring) -> Substring {
        if node.hasPrefix("[") { return node.dropFirst().prefix { $0 != "]" } }
        return node.count(where: { $0 == ":" }) == 1 ? node.prefix { $0 != ":" } : node
    }
}
