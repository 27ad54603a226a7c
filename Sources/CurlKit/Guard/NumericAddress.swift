import Glibc

/// An IP address as 16 bytes; IPv4 in the mapped form, so that `::ffff:10.0.0.1` and `10.0.0.1` are the same.
public struct NumericAddress: Sendable, Hashable {
    /// In network order: the first byte is the highest.
    let value: UInt128

    /// Reads dotted quads and IPv6 text without brackets or zone.
    public init?(_ text: String) {
        guard let address = text.withCString({ NumericAddress(text: $0) }) else { return nil }
        self = address
    }

    /// Reads the same from C's memory.
    init?(text: UnsafePointer<CChar>) {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4)
            return
        }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        self.init(v6)
    }

    init(_ address: in_addr) { value = Self.mapped << 32 | UInt128(UInt32(bigEndian: address.s_addr)) }

    init(_ address: in6_addr) {
        value = withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
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

    /// What stands before an IPv4 address in its mapped form (RFC 4291, section 2.5.5.2).
    static let mapped: UInt128 = 0xFFFF

    /// The four bytes of an IPv4 address, mapped or plain.
    var v4: UInt32? { value >> 32 == Self.mapped ? UInt32(truncatingIfNeeded: value) : nil }
}

extension NumericAddress: CustomStringConvertible {
    public var description: String {
        if let v4 { return [24, 16, 8, 0].map { String(v4 >> $0 & 0xFF) }.joined(separator: ".") }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        var bytes = value.bigEndian
        guard inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
