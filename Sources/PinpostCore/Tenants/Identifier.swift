public import FoundationEssentials

/// A name of one record: 26 characters of lower-case base32 for what we make ourselves (128 random bits), behind eight
/// more that say when for what comes in crowds.
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

    /// Draws a new identifier that begins with the millisecond, which is no secret: 34 characters.
    ///
    /// Rows that come together stand together in every index of the store. Purely random names would make each message
    /// of a commit change a page of its own.
    public static func random(at time: Date, using random: inout some RandomNumberGenerator) -> Self {
        Self(OrderedTime.text(time) + Self.random(using: &random).rawValue)
    }

    public init(from decoder: any Decoder) throws { rawValue = try String(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }

    public var description: String { rawValue }
}
