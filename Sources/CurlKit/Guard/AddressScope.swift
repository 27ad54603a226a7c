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
        self = table.first { address.value & $0.mask == $0.prefix }?.scope ?? .public
    }

    private struct Range {
        let prefix: UInt128
        let mask: UInt128
        let scope: AddressScope

        /// Four bytes at most are an IPv4 address, compared in its mapped form.
        init(v4 bytes: [UInt8], _ bits: Int, _ scope: AddressScope) {
            self.init([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes, 96 + bits, scope)
        }

        init(_ bytes: [UInt8], _ bits: Int, _ scope: AddressScope) {
            prefix = bytes.reduce(0) { $0 << 8 | UInt128($1) } << (8 * (16 - bytes.count))
            mask = ~(UInt128.max >> bits)
            self.scope = scope
        }
    }

    // The first match decides: single hosts stand before the ranges around them.
    private static let v4: [Range] = [
        Range(v4: [168, 63, 129, 16], 32, .metadata),  // Azure
        Range(v4: [100, 100, 100, 200], 32, .metadata),  // Alibaba
        Range(v4: [192, 0, 0, 192], 32, .metadata),  // Oracle
        Range(v4: [169, 254, 169, 254], 32, .metadata),
        Range(v4: [169, 254], 16, .linkLocal),
        Range(v4: [127], 8, .loopback),
        Range(v4: [10], 8, .private),
        Range(v4: [172, 16], 12, .private),
        Range(v4: [192, 168], 16, .private),
        Range(v4: [100, 64], 10, .private),
        Range(v4: [0], 8, .special),
        Range(v4: [192, 0, 0], 24, .special),
        Range(v4: [192, 0, 2], 24, .special),
        Range(v4: [192, 88, 99], 24, .special),
        Range(v4: [198, 18], 15, .special),
        Range(v4: [198, 51, 100], 24, .special),
        Range(v4: [203, 0, 113], 24, .special),
        Range(v4: [224], 4, .special),
        Range(v4: [240], 4, .special),
    ]

    private static let v6: [Range] = [
        Range([0xFD, 0x00, 0x0E, 0xC2], 32, .metadata),  // AWS: metadata, resolver, clock, keys of pods
        Range([0xFD, 0x00, 0x00, 0xC1, 0, 0, 0, 0, 0, 0, 0, 0, 0xA9, 0xFE, 0xA9, 0xFE], 128, .metadata),  // Oracle
        Range([0xFD, 0x00, 0x00, 0x42, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x42], 128, .metadata),  // Scaleway
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
