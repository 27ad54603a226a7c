import Glibc

/// The few things that a thread of its own does with a socket; all of them end when the server stops.
enum Socket {
    /// False when the server stops.
    static func waitReadable(_ socket: CInt, orUntil signal: StopSignal) -> Bool {
        var waits = [
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waits, 2, -1) < 0 && errno == EINTR {}
        return waits[1].revents == 0
    }

    /// Waits out the delay; false when the server stops.
    static func stayQuiet(_ socket: CInt, for delay: Duration, orUntil signal: StopSignal) -> Bool {
        var wait = pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0)
        let (seconds, attoseconds) = delay.components
        return poll(&wait, 1, CInt(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)) == 0
    }

    /// Reads and forgets until the other side closes.
    static func drainUntilClosed(_ socket: CInt, orUntil signal: StopSignal) {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while waitReadable(socket, orUntil: signal) {
            if recv(socket, &chunk, chunk.count, 0) <= 0 { return }
        }
    }

    /// False when the other side is gone.
    static func write(_ bytes: [UInt8], to socket: CInt) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                send(socket, raw.baseAddress.map { $0 + sent }, raw.count - sent, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// `close` will send RST and throw away what is unsent.
    static func resetOnClose(_ socket: CInt) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }
}

/// A descriptor that becomes readable once, for all who wait on it.
final class StopSignal: Sendable {
    let descriptor: CInt
    private let writeEnd: CInt

    init() throws(LoopbackError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackError("no pipe") }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    func fire() { _ = Glibc.write(writeEnd, "x", 1) }
}
