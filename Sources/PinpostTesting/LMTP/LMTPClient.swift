import Glibc
import PinpostCore

/// A mail server's side of LMTP, as well-behaved or as hostile as a test wishes; on a thread of its own.
public actor LMTPClient {
    private let descriptor: CInt
    private let thread = ThreadExecutor()
    private var received: [UInt8] = []

    /// Connects to a port of this machine.
    public init(port: Int) throws(LoopbackError) {
        guard let descriptor = Socket.connect(to: port) else { throw LoopbackError("nobody listens on \(port)") }
        self.init(owning: descriptor)
    }

    /// Connects to a Unix socket.
    public init(path: String) throws(LoopbackError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
        }
        guard isConnected else {
            close(descriptor)
            throw LoopbackError("nobody listens at \(path)")
        }
        self.init(owning: descriptor)
    }

    private init(owning descriptor: CInt) {
        self.descriptor = descriptor
        var patience = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// False when the server does not take it any more.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool { Socket.write(bytes, to: descriptor) }

    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// The last line of the next reply, without its line end; nil when the server has closed.
    public func reply() -> String? {
        while true {
            while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: received[..<end], as: UTF8.self).filter { $0 != "\r" && $0 != "\r\n" }
                received.removeSubrange(...end)
                if line.dropFirst(3).first != "-" { return line }
            }
            var chunk = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            // A process that was halted and goes on finds a wait with a limit interrupted (signal(7)).
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            received += chunk[..<count]
        }
    }

    /// Sends one line and gives the reply to it.
    public func say(_ line: String) -> String? {
        send(line + "\r\n")
        return reply()
    }

    /// So many replies, as far as they come.
    public func replies(_ count: Int) -> [String] { (0..<count).compactMap { _ in reply() } }

    /// Whatever comes until the server closes.
    public func rest() -> [String] {
        var lines: [String] = []
        while let line = reply() { lines.append(line) }
        return lines
    }

    /// Sends no more; the answer may still be read.
    public func finishSending() { shutdown(descriptor, CInt(SHUT_WR)) }
}
