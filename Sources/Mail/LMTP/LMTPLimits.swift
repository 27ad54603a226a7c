/// What a client of the LMTP listener may do; more is refused with a reply of its own.
public struct LMTPLimits: Sendable, Hashable {
    /// One mail, in bytes; announced by SIZE (RFC 1870).
    public var messageBytes = 50 << 20
    /// Live recipients of one mail; RFC 5321 section 4.5.3.1.8 asks for 100.
    public var recipients = 100
    /// How many of them may be one address with different boards.
    public var boardsOfAddress = 10
    /// One command line with its line end, in bytes; RFC 5321 section 4.5.3.1.4 asks for 512, and extensions add to it.
    public var commandBytes = 2_048
    /// Commands without a mail between them.
    public var commands = 1_000
    /// Commands that are wrong or not known.
    public var mistakes = 20
    /// Clients at the same time.
    public var connections = 32
    /// How long a client may be silent; RFC 5321 section 4.5.3.2.7 asks for five minutes.
    public var idle: Duration = .seconds(300)
    /// How long one mail may take.
    public var mail: Duration = .seconds(600)
    /// How long a connection may last; a mail that has begun is finished.
    public var connection: Duration = .seconds(3_600)

    public init() {}
}
