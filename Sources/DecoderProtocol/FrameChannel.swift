import Glibc

/// Sends and receives frames over a stream socket that somebody else owns.
///
/// Every call blocks its thread. The decoder side uses nothing but `read` and `write`; only a deadline needs `poll`.
public struct FrameChannel: Sendable {
    public let descriptor: Int32

    public init(descriptor: Int32) { self.descriptor = descriptor }

    public func send(_ job: Job) throws(FrameError) { try send(job.frame) }
    public func send(_ reply: Reply) throws(FrameError) { try send(reply.frame) }

    /// Waits for the next job.
    public func receiveJob() throws(FrameError) -> Job { try Job(receive(before: nil)) }

    /// Waits for the next reply, at most until `deadline`.
    public func receiveReply(before deadline: ContinuousClock.Instant) throws(FrameError) -> Reply {
        try Reply(receive(before: deadline))
    }

    private func send(_ frame: Frame) throws(FrameError) {
        let bytes = frame.encoded
        var sent = 0
        while sent < bytes.count {
            // Glibc.write and not send(MSG_NOSIGNAL): the sandbox knows no socket calls. Both sides ignore SIGPIPE.
            let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw errno == EPIPE || errno == ECONNRESET ? .closed : .system(errno) }
            sent += count
        }
    }

    private func receive(before deadline: ContinuousClock.Instant?) throws(FrameError) -> Frame {
        let (kind, length) = try Frame.header(receive(Frame.headerLength, before: deadline))
        return Frame(kind: kind, payload: try receive(length, before: deadline))
    }

    private func receive(_ length: Int, before deadline: ContinuousClock.Instant?) throws(FrameError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: length)
        var filled = 0
        while filled < length {
            if let deadline { try waitUntilReadable(before: deadline) }
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), length - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 || errno == ECONNRESET else { throw .system(errno) }
            guard count > 0 else { throw .closed }
            filled += count
        }
        return bytes
    }

    private func waitUntilReadable(before deadline: ContinuousClock.Instant) throws(FrameError) {
        while true {
            let remaining = ContinuousClock.now.duration(to: deadline)
            guard remaining > .zero else { throw .timedOut }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds =
                remaining.components.seconds * 1000 + remaining.components.attoseconds / 1_000_000_000_000_000
            let ready = poll(&request, 1, Int32(clamping: milliseconds + 1))
            if ready > 0 { return }
            guard ready == 0 || errno == EINTR else { throw .system(errno) }
        }
    }
}
