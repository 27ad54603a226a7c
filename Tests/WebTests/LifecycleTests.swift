import Glibc
import PinpostCore
import Synchronization
import Testing
import Web

@Suite("The listener", .timeLimit(.minutes(10)))
struct LifecycleTests {
    @Test("finishes the request under way when it stops, and takes no new ones")
    func gracefulStop() async throws {
        let handler = GateHandler()
        try await withServer(handler: handler) { server in
            async let answer = server.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
            await handler.entered.wait()
            server.shutdown.request()
            let port = server.listener.port
            // The end of the listening socket is the sign that the stop has begun.
            while (try? RawClient(port: port)) != nil { await Task.yield() }
            handler.release.request()
            let last = try #require(try await answer)
            #expect(last.body == "done")
            #expect(last.closes)
        }
    }

    @Test("gives up on requests that do not end once its task is cancelled")
    func cancelledStop() async throws {
        let handler = GateHandler()
        let listener = try HTTPListener(
            on: #require(ListenAddress("127.0.0.1:0")), handler: handler, blobs: MemoryBlobs(),
            pool: BlockingPool(width: 1), limits: .quick)
        let shutdown = Shutdown()
        let run = Task { await listener.run(until: shutdown) }
        let clients = BlockingPool(width: 1)
        let port = listener.port
        async let answer = clients.run {
            let client = try RawClient(port: port)
            client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
            return try client.response()?.body
        }
        await handler.entered.wait()
        shutdown.request()
        run.cancel()
        // The handler's wait ends with its task: the listener cancelled it.
        let last = try await answer
        #expect(last == "done")
        await run.value
        #expect(listener.requestCount == 0)
    }

    @Test("survives clients that leave at any moment", arguments: [true, false])
    func disconnects(_ isReset: Bool) async throws {
        let request =
            Array("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n".utf8)
            + [UInt8](repeating: 65, count: 200_000)
        try await withServer { server in
            for cut in [0, 1, 20, 50, 60, 1_000, 66_000, 140_000, 199_999, request.count] {
                try await server.withClient { client in
                    if isReset { client.resetOnClose() }
                    client.send(Array(request[..<min(cut, request.count)]))
                }
            }
            let answer = try await server.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer?.status == 200)
        }
    }

    @Test("keeps nothing of a thousand requests, however they ended")
    func noLeaks() async throws {
        let (blobs, handler) = (MemoryBlobs(), CountingHandler())
        try await withServer(blobs: blobs, handler: handler) { server in
            let whole = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd"
            let tooLarge = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 40000000\r\n\r\n"
            let cut = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 400\r\n\r\nabcd"
            let malformed = "POST /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"
            let statuses = try await server.withClient { client in
                client.send(String(repeating: whole, count: 1_000))
                return try client.statuses(1_000)
            }
            #expect(statuses == Array(repeating: 200, count: 1_000))
            for request in [tooLarge, cut, malformed] {
                for _ in 0..<20 { _ = try await server.withClient { client in client.send(request) } }
            }
        }
        #expect(handler.made >= 1_000)
        // A step that has resumed its connection may still be on its way out.
        while handler.alive > 0, !Task.isCancelled { await Task.yield() }
        #expect(handler.alive == 0)
        #expect(blobs.openWriters == 0)
    }

    @Test("says why it cannot listen")
    func taken() async throws {
        try await withServer { server in
            let address = try #require(ListenAddress("127.0.0.1:\(server.listener.port)"))
            let error = #expect(throws: ListenError.self) {
                try HTTPListener(
                    on: address, handler: EchoHandler(), blobs: MemoryBlobs(), pool: BlockingPool(width: 1))
            }
            #expect(error?.description.contains("Address already in use") == true)
        }
    }

    @Test(
        "reads addresses with port, in brackets for IPv6",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1:8080"), ("[::1]:0", "[::1]:0"), (":80", ":80"), ("::1:80", nil),
            ("127.0.0.1", nil), ("a:70000", nil), ("", nil),
        ] as [(String, String?)])
    func addresses(_ text: String, _ expected: String?) {
        #expect(ListenAddress(text)?.description == expected)
    }
}
