import PinpostCore
import Testing
import Web

@Suite("A slow client", .timeLimit(.minutes(10)))
struct DeadlineTests {
    /// Only the deadline that a test is about is short: on a slow machine every other one might come first.
    private func limits(_ change: (inout ListenerLimits) -> Void) -> ListenerLimits {
        var limits = ListenerLimits.quick
        change(&limits)
        return limits
    }

    /// Sends pieces until the server closes, then gives what it said and how long it took.
    private func drip(
        _ server: TestServer, _ start: String, _ piece: String
    ) async throws -> (answer: String, time: Duration) {
        let begin = ContinuousClock.now
        let answer = try await server.withClient { client in
            client.send(start)
            // Each piece waits for an answer for a moment: that is the drip.
            client.setTimeout(milliseconds: 30)
            while true {
                client.send(piece)
                do { return String(decoding: try client.receive(), as: UTF8.self) } catch {}
                if ContinuousClock.now - begin > .seconds(RawClient.patience) { return "still open" }
            }
        }
        return (answer, ContinuousClock.now - begin)
    }

    @Test("that drips its head is answered with 408 at the deadline, whatever it sends")
    func slowHead() async throws {
        try await withServer(limits: limits { $0.headDeadline = .milliseconds(300) }) { server in
            let (answer, time) = try await drip(server, "POST / HTTP/1.1\r\nHost: a\r\n", "X-a: b\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
            #expect(time > .milliseconds(250))
        }
    }

    @Test("that drips its request line is cut as well")
    func slowRequestLine() async throws {
        try await withServer(limits: limits { $0.headDeadline = .milliseconds(300) }) { server in
            let (answer, _) = try await drip(server, "GET /", "a")
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
        }
    }

    @Test("that drips its body is answered with 408 once the grace is over")
    func slowBody() async throws {
        try await withServer(limits: limits { $0.bodyGrace = .milliseconds(300) }) { server in
            let (answer, time) = try await drip(
                server, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\n", "z")
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
            #expect(time > .milliseconds(250))
        }
    }

    @Test("that keeps the rate but never ends is cut at the end of the time for a body")
    func endlessBody() async throws {
        try await withServer(limits: limits { $0.bodyDeadline = .milliseconds(900) }) { server in
            let chunk = "100\r\n" + String(repeating: "A", count: 256) + "\r\n"
            let (answer, time) = try await drip(
                server, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", chunk)
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
            #expect(time > .milliseconds(850))
        }
    }

    @Test("that was refused gets its answer soon, though the small body that it announced does not come")
    func refusedBody() async throws {
        try await withServer(limits: limits { $0.drainDeadline = .milliseconds(100) }) { server in
            let answer = try await server.send("POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
            #expect(answer?.status == 401)
            let (dripped, _) = try await drip(
                server, "POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\n", "z")
            #expect(dripped.hasPrefix("HTTP/1.1 401 "), "\(dripped)")
        }
        // With its body at hand the connection goes on.
        try await withServer { server in
            let statuses = try await server.withClient { client in
                let request = "POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                client.send(request + request)
                return try client.statuses(2)
            }
            #expect(statuses == [401, 401])
        }
    }

    @Test("is read to its end after its answer: a reset would take that away", arguments: ["/refused", "/"])
    func lateBody(_ path: String) async throws {
        let limits = limits {
            ($0.drainDeadline, $0.bodyGrace, $0.lingerDeadline) = (.milliseconds(100), .milliseconds(100), .seconds(50))
        }
        try await withServer(limits: limits) { server in
            let (status, taken) = try await server.withClient { client in
                client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
                let status = try client.response()?.status
                return (status, [client.send("def"), client.send("ghi")])
            }
            #expect(status == (path == "/" ? 408 : 401))
            #expect(taken == [true, true])
        }
    }

    @Test("that announces a body and never sends it is cut")
    func missingBody() async throws {
        try await withServer(limits: limits { $0.bodyGrace = .milliseconds(300) }) { server in
            let answer = try await server.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n")
            #expect(answer?.status == 408)
        }
    }

    @Test("that says nothing at all is cut, also between two requests")
    func silence() async throws {
        try await withServer(limits: limits { $0.headDeadline = .milliseconds(300) }) { server in
            let first = try await server.withClient { client in try client.rest() }
            #expect(first.hasPrefix("HTTP/1.1 408 "))
        }
        try await withServer(limits: limits { $0.idleDeadline = .milliseconds(300) }) { server in
            let second = try await server.withClient { client in
                client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = try client.response()
                return (answer?.body, try client.rest())
            }
            #expect(second == ("GET /x 0", ""))
        }
    }

    @Test("does not keep others waiting")
    func others() async throws {
        try await withServer { server in
            let port = server.listener.port
            let slowest = try await server.withClient { slow in
                slow.send("POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab")
                for _ in 0..<20 {
                    let other = try RawClient(port: port)
                    other.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                    guard try other.response()?.status == 200 else { return nil as String? }
                }
                slow.send("cd")
                return try slow.response()?.body
            }
            #expect(slowest == "POST /slow 4")
        }
    }

    @Test("that only waits gives its place to others when all are taken", arguments: [true, false])
    func eviction(_ isPerPeer: Bool) async throws {
        var limits = ListenerLimits.quick
        if isPerPeer { limits.connectionsPerPeer = 18 } else { limits.connections = 20 }
        try await withServer(limits: limits) { server in
            let port = server.listener.port
            try await server.withClient { oldest in
                // One that is at work keeps its place, however long it has been there.
                let busy = try RawClient(port: port)
                busy.send("POST /busy HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
                let goOn = try busy.response()
                #expect(goOn?.status == 100)
                var others: [IdleClient] = []
                for _ in 0..<20 { others.append(try IdleClient(port: port)) }
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                let served = try client.response()
                #expect(served?.status == 200)
                let evicted = try oldest.rest()
                #expect(evicted.isEmpty)
                busy.send("abcd")
                let kept = try busy.response()
                #expect(kept?.body == "POST /busy 4")
            }
        }
    }

    @Test("gets no more connections than its address may have while all are at work")
    func perPeer() async throws {
        var limits = ListenerLimits.quick
        limits.connectionsPerPeer = 2
        let handler = GateHandler()
        try await withServer(limits: limits, handler: handler) { server in
            let port = server.listener.port
            let release = handler.release
            try await server.withClient { first in
                let second = try RawClient(port: port)
                first.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                second.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                handler.waitForEntries(2)
                let third = try RawClient(port: port)
                third.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                let refused = try third.response()
                #expect(refused == nil)
                release.request()
                let answers = [try first.response()?.status, try second.response()?.status]
                #expect(answers == [200, 200])
            }
        }
    }
}

/// A connection that only exists.
final class IdleClient {
    private let client: RawClient

    init(port: UInt16) throws { client = try RawClient(port: port) }
}
