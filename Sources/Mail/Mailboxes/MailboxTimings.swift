/// How often a mailbox is looked at and how long trouble is waited out.
public struct MailboxTimings: Sendable, Hashable {
    /// IDLE begins anew; many servers and routers forget a silent connection after ten minutes.
    public var idleRefresh: Duration = .seconds(8 * 60)
    /// The folder is opened anew and read from where we are, whatever IDLE said.
    public var fullPoll: Duration = .seconds(6 * 60)
    /// Between two questions to a server without IDLE.
    public var noopInterval: Duration = .seconds(45)
    /// After the first failure in a row; doubled with each further one.
    public var firstPause: Duration = .seconds(1)
    /// At most, between two tries.
    public var longestPause: Duration = .seconds(15 * 60)
    /// At least, where the server asks for it or our disk is full.
    public var busyPause: Duration = .seconds(30)
    /// At least, between two tries of one mail, or of what is to happen to it afterwards, that count against it.
    public var secondTry: Duration = .seconds(10 * 60)
    /// A connection, or an IDLE, that lasted so long is none that fails again and again.
    public var settled: Duration = .seconds(60)
    /// Looks at a folder that may follow each other at once; after them one comes in each `lookPause`.
    public var looksAtOnce = 20
    public var lookPause: Duration = .seconds(1)
    /// Refused logins in a row after which a person is needed: more would lock the account.
    public var refusedLogins = 3
    /// Between two tries of a refused login.
    public var loginPause: Duration = .seconds(60)

    public init() {}
}
