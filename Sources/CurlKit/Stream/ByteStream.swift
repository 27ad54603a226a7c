/// Bytes to and from a server; every call blocks, and one thread at a time makes them.
public protocol ByteStream: AnyObject {
    /// Reads at least one byte; throws `.closed` at the end of the stream and `.timedOut` at the deadline.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant
    ) throws(StreamError) -> Int
    /// Writes everything.
    func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(StreamError)
    /// Waits for bytes, for the alarm, or for the deadline.
    func waitForNews(until deadline: ContinuousClock.Instant) throws(StreamError) -> StreamNews
}

/// What ended a wait.
public enum StreamNews: Sendable {
    case bytes, alarm, deadline
}
