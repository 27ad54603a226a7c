import Glibc
import PinpostCore
import Synchronization

/// Passes bytes on between a client and a server on 127.0.0.1, and cuts each connection after so many bytes.
public final class CuttingProxy: Sendable {
    public let port: Int
    private let target: Int
    private let listener: Listener
    private let stopSignal: StopSignal
    private let state = Mutex(State())

    private struct State {
        /// Bytes from the server that pass until the cut; nil never cuts.
        var limit: Int?
        var passed = 0
        var connections = 0
        var open = 0
    }

    public init(to target: Int) throws(LoopbackError) {
        self.target = target
        stopSignal = try StopSignal()
        listener = try Listener(port: 0)
        port = listener.port
        listener.acceptClients(until: stopSignal) { [weak self] client in
            startThread { [weak self] in
                self?.relay(client)
                close(client)
            }
        }
    }

    deinit { stopSignal.fire() }

    /// The next connection ends after `bytes` bytes of the server; those after it are whole.
    public func cutNext(after bytes: Int?) { state.withLock { $0.limit = bytes } }

    /// Bytes that the server has sent through the last connection.
    public var passed: Int { state.withLock { $0.passed } }
    public var connections: Int { state.withLock { $0.connections } }
    /// Connections that are open now.
    public var open: Int { state.withLock { $0.open } }

    private func relay(_ client: CInt) {
        guard let server = Socket.connect(to: target) else { return }
        let limit = state.withLock { state in
            state.connections += 1
            state.open += 1
            state.passed = 0
            defer { state.limit = nil }
            return state.limit
        }
        defer {
            close(server)
            state.withLock { $0.open -= 1 }
        }
        var left = limit ?? .max
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while left > 0 {
            var waits = [client, server, stopSignal.descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&waits, 3, -1) > 0 || errno == EINTR, waits[2].revents == 0 else { return }
            if waits[0].revents != 0 {
                let count = recv(client, &chunk, chunk.count, 0)
                guard count > 0, Socket.write(Array(chunk[..<count]), to: server) else { return }
            }
            if waits[1].revents != 0 {
                let count = recv(server, &chunk, min(chunk.count, left), 0)
                guard count > 0, Socket.write(Array(chunk[..<count]), to: client) else { return }
                left -= count
                state.withLock { $0.passed += count }
            }
        }
    }
}
