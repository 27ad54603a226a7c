/// What a payload may cost; sizes in bytes.
public struct HookLimits: Sendable, Hashable {
    public var json = 48 << 20
    public var multipart = 64 << 20
    public var picture = 25 << 20
    /// Plain text as a body.
    public var plainText = 1 << 20
    /// One text field.
    public var text = 64 << 10
    /// All text fields together.
    public var allText = 1 << 20
    /// Objects and arrays inside each other.
    public var depth = 32
    /// Objects in `items`, fields of a form, parts of a multipart body.
    public var entries = 1_000
    /// The header fields of one part of a multipart body.
    public var partHead = 8 << 10

    public init() {}
}
