import Cryptography
import Glibc
import PinpostCore
import Testing

@testable import Web

@Suite("Bodies that take their time", .timeLimit(.minutes(10)))
struct SlowBodyTests {
    private static let link = #"{"url":"https://example.org/a.jpg"}"#

    /// With `100 Continue` as the sign that the body is awaited.
    private static func request(_ token: HookToken, hook: String = "hook1", from client: String? = nil) -> Request {
        let request = Request.json("/v1/hooks/\(hook)", token: token.shown, link).with("Expect", "100-continue")
        return client.map { request.with("X-Forwarded-For", $0) } ?? request
    }

    @Test("of one hook leave places for others, and give their own back when they end or their client leaves")
    func perHook() async throws {
        var limits = RequestLimits()
        limits.bodiesPerHook = 2
        try await withService(limits: limits) { server, ports in
            let (own, other) = (Self.request(ports.token), Self.request(ports.otherToken, hook: "hook2"))
            try await server.withClient { first in
                let second = try RawClient(port: server.listener.port)
                for statuses in [try started(first, own), try started(second, own)] { #expect(statuses == 100) }
                let (third, stranger) = (try once(server, own), try once(server, other))
                #expect(third == 429 && stranger == 100)
                first.send(Self.link)
                let accepted = try first.response()?.status
                #expect(accepted == 202)
                let fourth = try once(server, own)
                #expect(fourth == 100)
            }
            // The fourth and the second have left.
            while try await server.status(.json("/v1/hooks/hook1", token: ports.token.shown, Self.link)) == 429 {}
            #expect(try await ports.received().count == 2)
        }
    }

    @Test("are counted by the client that a trusted proxy names")
    func perClient() async throws {
        var limits = RequestLimits()
        limits.bodiesPerAddress = 1
        limits.trustedProxies = [try #require(AddressRange("127.0.0.0/8"))]
        try await withService(limits: limits) { server, ports in
            let requests = ["203.0.113.5", "203.0.113.5", "203.0.113.6"].map { Self.request(ports.token, from: $0) }
            try await server.withClient { first in
                let statuses = [
                    try started(first, requests[0]), try once(server, requests[1]), try once(server, requests[2]),
                ]
                #expect(statuses == [100, 429, 100])
            }
        }
    }

    @Test("and the connections of a proxy are not those of one client")
    func proxies() async throws {
        var limits = ListenerLimits.quick
        limits.connectionsPerPeer = 2
        limits.proxies = [try #require(AddressRange("127.0.0.1"))]
        let handler = GateHandler()
        try await withServer(limits: limits, handler: handler) { server in
            let port = server.listener.port
            let release = handler.release
            try await server.withClient { first in
                let second = try RawClient(port: port)
                let third = try RawClient(port: port)
                first.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                second.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                third.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                handler.waitForEntries(3)
                release.request()
                let statuses = [
                    try first.response()?.status, try second.response()?.status, try third.response()?.status,
                ]
                #expect(statuses == [200, 200, 200])
            }
        }
    }

    @Test("leave their connections to others once they are refused, however small they are")
    func refused() async throws {
        var limits = ListenerLimits.quick
        limits.connections = 10
        limits.proxies = [try #require(AddressRange("127.0.0.1"))]
        try await withServer(limits: limits) { server in
            let port = server.listener.port
            let (first, last) = try await server.withClient { _ in
                var clients: [Held] = []
                for _ in 0..<20 {
                    let client = Held(try RawClient(port: port))
                    client.raw.send("POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n")
                    clients.append(client)
                    // Refused before the places are short: who is not read yet gives up his own without an answer.
                    if clients.count == 1 { while server.listener.requestCount == 0 { sched_yield() } }
                }
                let honest = try RawClient(port: port)
                honest.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                let last = try honest.response()?.status
                return (try clients[0].raw.response()?.status, last)
            }
            #expect(first == 401 && last == 200)
        }
    }

    @Test("and requests that wait for pins have a share; over it they are answered at once")
    func waits() async throws {
        var limits = RequestLimits()
        limits.waitsPerHook = 0
        try await withService(limits: limits) { server, ports in
            let status = try await server.status(
                .json("/v1/hooks/hook1?wait=60", token: ports.token.shown, Self.link))
            #expect(status == 202)
        }
    }
}

/// A client in a list.
private final class Held {
    let raw: RawClient

    init(_ raw: consuming RawClient) { self.raw = raw }
}
