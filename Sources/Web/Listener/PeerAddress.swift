internal import Glibc

/// The other side of a connection; equal for all addresses of one IPv6 /64 network.
struct PeerAddress: Hashable, Sendable {
    private let network: [UInt8]
    /// As text, without the port.
    let text: String

    static func == (left: Self, right: Self) -> Bool { left.network == right.network }
    func hash(into hasher: inout Hasher) { hasher.combine(network) }

    init(_ address: UnsafePointer<sockaddr>?) {
        let bytes = address.map(Self.bytes) ?? []
        text = Self.text(of: bytes)
        network = bytes.count == 16 ? Array(bytes.prefix(8)) : bytes
    }

    /// 4 or 16 bytes; an IPv4 address in an IPv6 one is an IPv4 address.
    private static func bytes(of address: UnsafePointer<sockaddr>) -> [UInt8] {
        let memory = UnsafeRawPointer(address)
        switch CInt(memory.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            return withUnsafeBytes(of: memory.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6:
            let bytes = withUnsafeBytes(of: memory.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            return isMapped ? Array(bytes.suffix(4)) : bytes
        default: return []
        }
    }

    private static func text(of bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "unknown" }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
