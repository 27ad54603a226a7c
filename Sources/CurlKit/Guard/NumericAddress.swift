import Glibc

/// An IP address as 16 bytes; IPv4 in the mapped form, so that `::ffff:10.0.0.1` and `10.0.0.1` are the same.
public struct NumericAddress: Sendable, Hashable {
    let bytes: [UInt8]

    /// Reads dotted quads and IPv6 text without brackets or zone.
    public init?(_ text: String) {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4)
            return
        }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        self.init(v6)
    }

    init(_ address: in_addr) {
        bytes = Self.mappedPrefix + withUnsafeBytes(of: address.s_addr) { Array($0) }
    }

    init(_ address: in6_addr) {
        bytes = withUnsafeBytes(of: address) { Array($0) }
    }

    /// The address that a socket is about to be connected to; nil for other families.
    init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch CInt(address.pointee.sa_family) {
        case AF_INET: self.init(raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    /// The four bytes of an IPv4 address, mapped or plain.
    var v4: ArraySlice<UInt8>? { bytes.starts(with: Self.mappedPrefix) ? bytes[12...] : nil }
}

extension NumericAddress: CustomStringConvertible {
    public var description: String {
        if let v4 { return v4.map(String.init).joined(separator: ".") }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
