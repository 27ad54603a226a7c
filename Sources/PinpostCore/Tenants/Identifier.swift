/// A name of one record: 26 characters of lower-case base32 for what we make ourselves (128 random bits).
///
/// The type parameter keeps a tenant's id from being used as an item's.
public struct Identifier<Subject>: Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Draws a new identifier; two draws are equal with a chance of 2⁻¹²⁸.
    public static func random(using random: inout some RandomNumberGenerator) -> Self {
        let halves = [random.next(), random.next()]
        return Self(halves.withUnsafeBytes { Base32.encode($0) })
    }

    public init(from decoder: any Decoder) throws { rawValue = try String(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }

    public var description: String { rawValue }
}
