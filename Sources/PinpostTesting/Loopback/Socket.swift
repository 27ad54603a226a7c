import Glibc

/// The few things that a thread of its own does with a socket; all of them end when the server stops.
enum Socket {
    /// Whether somebody listens on 127.0.0.1 at that port.
    static func isListening(_ port: Int) -> Bool {
        guard let socket = connect(to: port) else { return false }
        close(socket)
        return true
    }

    /// A connection to 127.0.0.1; nil where nobody listens.
    static func connect(to port: Int) -> CInt? {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) == 0 }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

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
