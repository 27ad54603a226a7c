import Glibc
import PinpostCore
import Synchronization

/// A small HTTP/1.1 server on 127.0.0.1 with a thread per connection, whose answers may break off anywhere.
///
/// It is made for tests and the demo: faults below HTTP (a reset, half an answer, silence) need the bare socket.
public final class LoopbackServer: Sendable {
    public typealias Handler = @Sendable (Request) -> Reply

    public struct Request: Sendable {
        public let method: String
        /// Path and query as they were sent.
        public let target: String
        /// Names in lower case.
        public let headers: [(name: String, value: String)]
        public let body: [UInt8]
        /// The body came in chunks, which WSGI servers do not hand on.
        public let isChunked: Bool
        /// Counts the accepted connections from 1.
        public let connection: Int

        public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    public struct Reply: Sendable {
        public enum Ending: Sendable {
            /// Waits for the next request on the connection.
            case keepAlive
            case close
            /// RST instead of FIN.
            case reset
            /// Says nothing more until the client or the server ends it.
            case hang
        }

        public var bytes: [UInt8]
        public var delay: Duration
        public var ending: Ending

        public init(bytes: [UInt8], after delay: Duration = .zero, then ending: Ending = .keepAlive) {
            self.bytes = bytes
            self.delay = delay
            self.ending = ending
        }
    }

    public let port: Int
    /// Longer bodies are answered with 413 before they are read.
    public let bodyLimit: Int
    private let listener: Listener
    private let stopSignal: StopSignal
    private let handler: Handler
    private let accepted = Atomic<Int>(0)

    public var url: String { "http://127.0.0.1:\(port)" }
    /// Connections accepted so far.
    public var connections: Int { accepted.load(ordering: .acquiring) }

    /// Listens on `port` (0 picks a free one) and answers until `stop` or the end of the object.
    ///
    /// Another `host` than 127.0.0.1 has to be an address of this machine, as in a network namespace of a test's own.
    public init(
        port: Int = 0, host: String = "127.0.0.1", bodyLimit: Int = 64 << 20, _ handler: @escaping Handler
    ) throws(LoopbackError) {
        stopSignal = try StopSignal()
        listener = try Listener(port: port, host: host)
        self.port = listener.port
        self.bodyLimit = bodyLimit
        self.handler = handler
        listener.acceptClients(until: stopSignal) { [weak self] client in
            if let self { self.serve(client) } else { close(client) }
        }
    }

    deinit { stop() }

    /// Ends every connection; a second call does nothing.
    public func stop() {
        stopSignal.fire()
        // At once, not when the thread gets round to it: the next connection is refused.
        shutdown(listener.descriptor, CInt(SHUT_RDWR))
    }

    private func serve(_ client: CInt) {
        let number = accepted.add(1, ordering: .acquiringAndReleasing).newValue
        let connection = Connection(
            socket: client, stopSignal: stopSignal, number: number, bodyLimit: bodyLimit, handler: handler)
        startThread { connection.run() }
    }
}

/// A loopback server could not start.
public struct LoopbackError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

extension LoopbackServer.Reply {
    /// A complete answer with its length.
    public init(
        _ status: Int, _ headers: [(String, String)] = [], body: [UInt8] = [], then ending: Ending = .keepAlive
    ) {
        var head = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if status != 204 { head += "Content-Length: \(body.count)\r\n" }
        if case .close = ending { head += "Connection: close\r\n" }
        self.init(bytes: Array("\(head)\r\n".utf8) + body, then: ending)
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 400: "Bad Request"
        case 404: "Not Found"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        default: "Status \(status)"
        }
    }
}
