/// What a mail may have; more is an error or a part left out with its reason, never a silent cut.
public struct MailLimits: Sendable, Hashable {
    /// The whole mail, in bytes.
    public var messageBytes = 50 << 20
    /// One header block, in bytes.
    public var headerBytes = 256 << 10
    /// Fields of one header block.
    public var fields = 1_000
    /// Parts of all kinds, containers included.
    public var parts = 500
    /// Multiparts inside each other.
    public var multipartDepth = 20
    /// Forwarded messages inside each other.
    public var messageDepth = 5
    /// Characters of a boundary; RFC 2046 section 5.1.1 allows 70.
    public var boundaryLength = 200
    /// One text part after decoding, in bytes; what follows is not read.
    public var textBytes = 1 << 20
    /// All text parts together, in bytes.
    public var allTextBytes = 3 << 20
    /// One picture, in bytes.
    public var pictureBytes = 25 << 20
    /// Pictures or links of one mail that become pins.
    public var items = 50
    /// Links that are listed.
    public var links = 2_000

    public init() {}
}
