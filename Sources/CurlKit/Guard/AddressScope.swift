/// Where an address leads, by the IANA special-purpose registries (RFC 6890 and its updates).
public enum AddressScope: Sendable, Hashable {
    case `public`
    /// RFC 1918, RFC 6598 (carrier NAT) and unique local IPv6: a tenant's Pinry may live there.
    case `private`
    case loopback
    case linkLocal
    /// A cloud's metadata service: it gives keys to whoever asks.
    case metadata
    /// Documentation, multicast, reserved, or an IPv6 form that embeds an IPv4 address.
    case special

    /// Judges an address; v4-mapped ones by the inner address.
    public init(_ address: NumericAddress) {
        let table = address.v4 == nil ? Self.v6 : Self.v4
        let bytes = address.v4.map(Array.init) ?? address.bytes
        self = table.first { $0.contains(bytes) }?.scope ?? .public
    }

    private struct Range {
        let prefix: [UInt8]
        let bits: Int
        let scope: AddressScope

        init(_ prefix: [UInt8], _ bits: Int, _ scope: AddressScope) {
            self.prefix = prefix
            self.bits = bits
            self.scope = scope
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            (0..<bits).allSatisfy { bit in
                let mask: UInt8 = 0x80 >> UInt8(bit % 8)
                let wanted = bit / 8 < prefix.count ? prefix[bit / 8] : 0
                return bytes[bit / 8] & mask == wanted & mask
            }
        }
    }

    // The first match decides: single hosts stand before the ranges around them.
    private static let v4: [Range] = [
        Range([168, 63, 129, 16], 32, .metadata),  // Azure
        Range([100, 100, 100, 200], 32, .metadata),  // Alibaba
        Range([192, 0, 0, 192], 32, .metadata),  // Oracle
        Range([169, 254, 169, 254], 32, .metadata),
        Range([169, 254], 16, .linkLocal),
        Range([127], 8, .loopback),
        Range([10], 8, .private),
        Range([172, 16], 12, .private),
        Range([192, 168], 16, .private),
        Range([100, 64], 10, .private),
        Range([0], 8, .special),
        Range([192, 0, 0], 24, .special),
        Range([192, 0, 2], 24, .special),
        Range([192, 88, 99], 24, .special),
        Range([198, 18], 15, .special),
        Range([198, 51, 100], 24, .special),
        Range([203, 0, 113], 24, .special),
        Range([224], 4, .special),
        Range([240], 4, .special),
    ]

    private static let v6: [Range] = [
        Range([0xFD, 0x00, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128, .metadata),  // AWS
        Range([0xFD, 0x20, 0x00, 0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128, .metadata),  // Google
        Range([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128, .loopback),
        Range([], 96, .special),  // ::, v4-compatible
        Range([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96, .special),  // SIIT
        Range([0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96, .special),  // NAT64
        Range([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], 48, .special),  // NAT64, local
        Range([0x01, 0x00, 0, 0, 0, 0, 0], 56, .special),  // discard only
        Range([0x20, 0x01, 0x00], 23, .special),  // Teredo, ORCHID, benchmarks
        Range([0x20, 0x01, 0x0D, 0xB8], 32, .special),
        Range([0x20, 0x02], 16, .special),  // 6to4
        Range([0x3F, 0xFF], 20, .special),
        Range([0x5F, 0x00], 16, .special),  // SRv6
        Range([0xFC], 7, .private),
        Range([0xFE, 0x80], 10, .linkLocal),
        Range([0xFE, 0xC0], 10, .special),
        Range([0xFF], 8, .special),
    ]
}

extension AddressScope: CustomStringConvertible {
    public var description: String {
        switch self {
        case .public: "public"
        case .private: "private"
        case .loopback: "loopback"
        case .linkLocal: "link-local"
        case .metadata: "a cloud's metadata service"
        case .special: "reserved"
        }
    }
}
