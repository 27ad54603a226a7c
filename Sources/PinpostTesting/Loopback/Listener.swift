import Glibc
import PinpostCore

/// A listening socket of this machine, closed when the last thread that may wait on it has let go: a number that is closed
/// earlier is soon another socket's.
final class Listener: Sendable {
    let descriptor: CInt
    let port: Int

    init(port: Int, host: String = "127.0.0.1") throws(LoopbackError) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var on: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port).bigEndian)
        inet_pton(AF_INET, host, &address.sin_addr)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && listen(descriptor, 256) == 0
                    && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard isBound else {
            let cause = String(cString: strerror(errno))
            close(descriptor)
            throw LoopbackError("\(host):\(port) cannot be used: \(cause)")
        }
        self.descriptor = descriptor
        self.port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }

    /// Hands each client that connects to `body`, on one thread of its own, until the stop; `body` has to close it.
    func acceptClients(until stop: StopSignal, _ body: @escaping @Sendable (CInt) -> Void) {
        startThread { [self] in
            while Socket.waitReadable(descriptor, orUntil: stop) {
                let client = accept(descriptor, nil, nil)
                if client >= 0 { body(client) }
            }
        }
    }
}
