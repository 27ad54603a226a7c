internal import Glibc

/// An IPv4 or IPv6 address; an IPv4 address in an IPv6 one is an IPv4 address.
public struct NetworkAddress: Sendable, Hashable {
    /// 4 or 16, in network order.
    let bytes: [UInt8]

    /// Reads the text form, as `inet_pton` knows it; a port or brackets are not part of it.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 64 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        let text = String(text)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
        } else {
            return nil
        }
    }

    var isLoopback: Bool { bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1] }

    /// What one customer of a provider has: the address itself, the /64 network of an IPv6 address.
    var network: [UInt8] { bytes.count == 16 ? Array(bytes.prefix(8)) : bytes }
}

/// The addresses with a common beginning: `10.0.0.0/8`, or a single one without the slash.
public struct AddressRange: Sendable, Hashable {
    private let start: [UInt8]
    private let bits: Int

    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = NetworkAddress(parts[0]) else { return nil }
        let width = address.bytes.count * 8
        guard parts.count == 1 || parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let bits = parts.count == 1 ? width : Int(parts[1]), (0...width).contains(bits)
        else { return nil }
        start = address.bytes
        self.bits = bits
    }

    func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == start.count else { return false }
        let whole = bits / 8
        guard address.bytes.prefix(whole).elementsEqual(start.prefix(whole)) else { return false }
        guard bits % 8 > 0 else { return true }
        return (address.bytes[whole] ^ start[whole]) >> UInt8(8 - bits % 8) == 0
    }
}
