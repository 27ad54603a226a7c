import PinpostCore
import Testing
import Web

@Suite("The body of a request", .timeLimit(.minutes(10)))
struct BodyTests {
    @Test(
        "over the limit is refused by its Content-Length before a byte is read",
        arguments: [
            "", "Expect: 100-continue\r\n",
        ])
    func tooLargeByLength(_ expectation: String) async throws {
        let blobs = MemoryBlobs()
        try await withServer(blobs: blobs, handler: EchoHandler(limit: 1_000)) { server in
            let answer = try await server.withClient { client in
                client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\(expectation)\r\n")
                return try client.rest()
            }
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            #expect(!answer.contains("100 Continue"))
            #expect(blobs.openWriters == 0)
        }
    }

    @Test("is asked for with 100 Continue when it is wanted")
    func expectContinue() async throws {
        try await withServer { server in
            let (first, second) = try await server.withClient { client in
                client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
                let first = try client.response()
                client.send("abc")
                return (first, try client.response())
            }
            #expect(first?.status == 100)
            #expect(second?.body == "POST /x 3")
        }
    }

    @Test("over the limit in chunks is answered with 413 while it still comes in")
    func tooLargeInChunks() async throws {
        let blobs = MemoryBlobs()
        try await withServer(blobs: blobs, handler: EchoHandler(limit: 100_000)) { server in
            let answer = try await server.withClient { client in
                client.send("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                let chunk = "2000\r\n" + String(repeating: "A", count: 8_192) + "\r\n"
                for _ in 0..<20 { client.send(chunk) }
                return try client.response()
            }
            #expect(answer?.status == 413)
            #expect(blobs.openWriters == 0)
            #expect(blobs.spooledCount == 0)
        }
    }

    @Test("of any size up to the limit arrives whole", arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000, 5_000_000])
    func sizes(_ size: Int) async throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let keeper = KeepingHandler(limit: 6_000_000)
        let blobs = MemoryBlobs()
        try await withServer(blobs: blobs, handler: keeper) { server in
            let head = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n"
            let answer = try await server.send(Array(head.utf8) + body)
            #expect(answer?.status == 200)
            let reader = try blobs.open(#require(keeper.bodies.first))
            var stored: [UInt8] = []
            while case let piece = try reader.read(upTo: 65_536), !piece.isEmpty { stored += piece }
            #expect(stored == body)
        }
    }

    @Test(
        "in chunks arrives whole, several at once, and the listener goes on", arguments: [500, 8_192, 70_000, 300_000])
    func manyChunks(_ length: Int) async throws {
        let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let keeper = KeepingHandler(limit: 6_000_000)
        let blobs = MemoryBlobs()
        try await withServer(blobs: blobs, handler: keeper) { server in
            var request = Array("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            for start in stride(from: 0, to: body.count, by: length) {
                let chunk = body[start..<min(start + length, body.count)]
                request += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
            }
            request += Array("0\r\n\r\n".utf8)
            let whole = request
            for _ in 0..<3 { #expect(try await server.send(whole)?.status == 200) }
            for bytes in keeper.bodies {
                let reader = try blobs.open(bytes)
                var stored: [UInt8] = []
                while case let piece = try reader.read(upTo: 65_536), !piece.isEmpty { stored += piece }
                #expect(stored == body)
            }
            #expect(try await server.send(Array("GET /x HTTP/1.1\r\nHost: a\r\n\r\n".utf8)) != nil)
        }
    }

    @Test("is not read faster than the store takes it, and a full disk ends it with 507")
    func fullDisk() async throws {
        let blobs = MemoryBlobs()
        blobs.fail(with: StoreError(.diskFull))
        try await withServer(blobs: blobs, handler: EchoHandler(limit: 64 << 20)) { server in
            let answer = try await server.withClient { client in
                client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 50000000\r\n\r\n")
                client.send([UInt8](repeating: 65, count: 400_000))
                return try client.response()
            }
            #expect(answer?.status == 507)
            #expect(answer?.field("retry-after") == "60")
            #expect(blobs.openWriters == 0)
        }
    }

    @Test("with chunks cut at every byte is the same body")
    func everyCut() async throws {
        let request = Array(
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n5;x=y\r\ndefgh\r\n0\r\n\r\n"
                .utf8)
        try await withServer { server in
            for cut in stride(from: 1, to: request.count, by: 3) {
                let answer = try await server.withClient { client in
                    client.noDelay()
                    client.send(Array(request[..<cut]))
                    client.send(Array(request[cut...]))
                    return try client.response()
                }
                #expect(answer?.body == "POST /x 8", "cut at \(cut)")
            }
        }
    }
}

/// Takes bodies and remembers them.
final class KeepingHandler: RequestHandler {
    private let limit: Int
    private let kept = Kept()

    init(limit: Int) { self.limit = limit }

    var bodies: [StoredBytes] { kept.all }

    func open(_ head: RequestHead) async -> Opening {
        .receive(limit: limit) { [kept] body in
            kept.add(body)
            return HTTPAnswer(200)
        }
    }
}
