/// What a client may cost; every number has a default that fits a small machine.
public struct ListenerLimits: Sendable, Hashable {
    /// Connections at one time; fewer where the process may not open that many files.
    public var connections = 1_000
    /// Connections of one address (of one /64 network for IPv6).
    public var connectionsPerPeer = 256
    /// Peers for which that does not count: behind a proxy many clients share one address.
    public var proxies: [AddressRange] = []
    /// Bytes of request line and header fields.
    public var headBytes = 16 * 1024
    public var headFields = 100
    /// From the first moment of a connection, later from the request line, to the end of the head.
    public var headDeadline: Duration = .seconds(10)
    /// How long a connection may wait for its next request line.
    public var idleDeadline: Duration = .seconds(75)
    /// A body may be as slow as it likes for this long.
    public var bodyGrace: Duration = .seconds(10)
    /// Bytes per second, on the average since the end of the grace.
    public var bodyRate = 1_000
    /// From the end of the head to the end of the body.
    public var bodyDeadline: Duration = .seconds(120)
    /// How long the client may take to read an answer.
    public var answerDeadline: Duration = .seconds(30)
    /// How long the rest of a refused body is thrown away, so that the client gets to read why.
    public var lingerDeadline: Duration = .seconds(5)
    /// How often the deadlines are looked at.
    public var sweepInterval: Duration = .milliseconds(500)
    /// Bytes of a large body that are collected before they are written: every block costs a change of threads.
    public var bodyBlock = 1 << 20
    /// Bodies that have such a block at one time; the others make do with 128 KiB.
    public var bodyBlocks = 16
    /// A refused body up to this size is read to its end, so that the connection can stay open.
    public var drainBytes = 64 * 1024
    /// How long such a body is waited for; then the answer goes out and the connection ends.
    public var drainDeadline: Duration = .seconds(1)

    public init() {}
}
