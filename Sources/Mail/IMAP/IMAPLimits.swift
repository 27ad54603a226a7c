/// What a mail server may send, and how long it may take.
public struct IMAPLimits: Sendable, Hashable {
    /// One mail, in bytes.
    public var messageBytes = 50 << 20
    /// One atom, quoted string, or text of a line, in bytes.
    public var tokenBytes = 1 << 20
    /// All answers to one command, mails excepted, in bytes.
    public var answerBytes = 64 << 20
    /// Lists inside each other.
    public var depth = 64
    /// Without a single byte.
    public var silence: Duration = .seconds(60)
    /// What a mail may take for each KiB, beyond `silence`.
    public var perKiB: Duration = .milliseconds(500)
    /// To connect, encrypt and log in.
    public var login: Duration = .seconds(60)

    public init() {}
}
