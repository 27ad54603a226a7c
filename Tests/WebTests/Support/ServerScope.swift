import PinpostCore
import Testing
import Web

/// A listener on a free loopback port, for the time of a test.
struct TestServer: Sendable {
    let listener: HTTPListener
    let shutdown: Shutdown
    /// Clients block: they must not take the threads that the server's tasks run on.
    private let clients = BlockingPool(width: 4)

    /// Runs `body` with a connected client on a thread of its own.
    func withClient<Result: Sendable>(
        _ body: @escaping @Sendable (borrowing RawClient) throws -> Result
    ) async throws -> Result {
        let port = listener.port
        return try await clients.run { try body(RawClient(port: port)) }
    }

    /// The answer to one request.
    func send(_ request: String) async throws -> RawResponse? { try await send(Array(request.utf8)) }

    func send(_ request: [UInt8]) async throws -> RawResponse? {
        try await withClient { client in
            client.send(request)
            return try client.response()
        }
    }
}

func withServer<Result: Sendable>(
    limits: ListenerLimits = .quick, blobs: any BlobStore = MemoryBlobs(), shutdown: Shutdown = Shutdown(),
    handler: any RequestHandler = EchoHandler(), _ body: (TestServer) async throws -> Result
) async throws -> Result {
    let address = try #require(ListenAddress("127.0.0.1:0"))
    let listener = try HTTPListener(
        on: address, handler: handler, blobs: blobs, pool: BlockingPool(width: 2), limits: limits)
    let server = TestServer(listener: listener, shutdown: shutdown)
    async let run: Void = listener.run(until: shutdown)
    do {
        let result = try await body(server)
        shutdown.request()
        await run
        #expect(listener.connectionCount == 0 && listener.requestCount == 0)
        return result
    } catch {
        shutdown.request()
        await run
        throw error
    }
}

extension ListenerLimits {
    /// No deadline that a halted or slow machine could meet, a sweep that comes soon; few bytes make a block.
    static var quick: ListenerLimits {
        var limits = ListenerLimits()
        limits.bodyBlock = 128 * 1024
        limits.bodyBlocks = 2
        limits.sweepInterval = .milliseconds(20)
        let never = Duration.seconds(3_600)
        (limits.headDeadline, limits.idleDeadline, limits.answerDeadline) = (never, never, never)
        (limits.bodyGrace, limits.bodyDeadline, limits.drainDeadline) = (never, never, never)
        return limits
    }
}

/// Answers with what it received: method, path and the number of body bytes.
struct EchoHandler: RequestHandler {
    var limit = 1 << 20

    func open(_ head: RequestHead) async -> Opening {
        let line = "\(head.method) /\(head.target.segments.joined(separator: "/"))"
        switch head.target.segments.first {
        case "refused": return .answer(HTTPAnswer(401, contentType: "text/plain", text: "no"))
        default:
            return .receive(limit: limit) { body in
                // A step that really waits, so that suspending and resuming is part of every test.
                await Task.yield()
                return HTTPAnswer(200, contentType: "text/plain", text: "\(line) \(body.count)")
            }
        }
    }
}
