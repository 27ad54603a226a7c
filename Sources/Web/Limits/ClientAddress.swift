/// Whose address counts: the other side of the connection, or what a proxy that we trust says of it.
enum ClientAddress {
    /// More entries than proxies stand in a row.
    private static let mostHops = 32

    /// Goes through `X-Forwarded-For` from its end, as long as the one who wrote an entry is a trusted proxy.
    ///
    /// nil where the peer's address is not known. Everything that an untrusted peer wrote is ignored.
    static func of(_ head: RequestHead, trusting proxies: [AddressRange]) -> NetworkAddress? {
        guard var client = NetworkAddress(head.peer) else { return nil }
        let lists = head.fields.filter { $0.name == "x-forwarded-for" }.map(\.value)
        let entries = lists.flatMap { $0.split(separator: ",") }.suffix(mostHops)
        for entry in entries.reversed() {
            guard proxies.contains(where: { $0.contains(client) }),
                let next = NetworkAddress(entry.drop { $0 == " " }.prefix { $0 != " " })
            else { break }
            client = next
        }
        return client
    }
}
