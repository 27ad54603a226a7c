import CurlKit
import FoundationEssentials
import PinpostCore
import PinpostTesting
import Synchronization
import Testing

@testable import Links

@Suite("Manners", .timeLimit(.minutes(10)))
struct PolitenessTests {
    /// Answers what it is told, and counts.
    final class StandIn: HTTPExchange {
        let calls = Mutex(0)
        private let gate: @Sendable () async -> Void
        private let answer: @Sendable (String) -> Result<HTTPResponse, HTTPExchangeError>

        init(
            gate: @escaping @Sendable () async -> Void = {},
            _ answer: @escaping @Sendable (String) -> Result<HTTPResponse, HTTPExchangeError>
        ) {
            self.gate = gate
            self.answer = answer
        }

        func send(_ request: HTTPRequest, as _: EgressClass) async throws(HTTPExchangeError) -> HTTPResponse {
            calls.withLock { $0 += 1 }
            await gate()
            return try answer(request.url).get()
        }
    }

    private static func response(_ status: Int) -> Result<HTTPResponse, HTTPExchangeError> {
        .success(HTTPResponse(status: status, headers: [], body: [1], url: "http://a.example/"))
    }

    @Test("a bucket gives its burst, then as many a second as it says")
    func bucket() {
        let start = ContinuousClock.now
        var bucket = TokenBucket(burst: 2, perSecond: 4, now: start)
        let delays = (0..<3).map { _ in bucket.take(now: start) }
        #expect(delays[0] == nil && delays[1] == nil)
        let delay = delays[2]
        #expect(delay.map { $0 > .milliseconds(200) && $0 < .milliseconds(300) } == true)
        let later = bucket.take(now: start + .milliseconds(260))
        let isFullSoon = bucket.isFull(now: start + .milliseconds(300))
        let isFullAtLast = bucket.isFull(now: start + .seconds(2))
        #expect(later == nil && !isFullSoon && isFullAtLast)
    }

    @Test("whoever asks for the same address meanwhile gets the same answer")
    func oneFlight() async throws {
        let (started, opened) = (Signal(), Signal())
        let http = StandIn(gate: {
            started.fire()
            await opened.wait(after: 0, upTo: Patience.limit)
        }) { _ in Self.response(200) }
        let flights = Flights()
        let deadline = ContinuousClock.now + Patience.limit
        // Each begins at once: all of them wait for the flight of the first before it lands.
        let asking = (0..<5).map { _ in
            Task.immediate {
                let outcome = await flights.run("a", until: deadline) {
                    do throws(HTTPExchangeError) {
                        return .success(try await http.send(HTTPRequest(url: "http://a.example/"), as: .message))
                    } catch {
                        return .failure(error)
                    }
                }
                return try outcome.get().status
            }
        }
        await started.wait(after: 0, upTo: Patience.limit)
        opened.fire()
        for task in asking { #expect(try await task.value == 200) }
        #expect(http.calls.withLock { $0 } == 1)
    }

    @Test("a dead host and a missing page are asked once, other hosts as ever")
    func memory() async throws {
        let http = StandIn { url in
            if url.contains("dead") { return .failure(HTTPExchangeError(.connectFailed, "dead")) }
            return Self.response(url.hasSuffix("gone") ? 404 : 200)
        }
        let polite = PoliteExchange(http)
        for _ in 0..<3 {
            let error = await #expect(throws: HTTPExchangeError.self) {
                try await polite.send(HTTPRequest(url: "http://dead.example/x"), as: .message)
            }
            #expect(error?.code == .connectFailed)
            #expect(try await polite.send(HTTPRequest(url: "http://a.example/gone"), as: .message).status == 404)
        }
        #expect(http.calls.withLock { $0 } == 2)
        _ = try await polite.send(HTTPRequest(url: "http://a.example/there"), as: .message)
        #expect(http.calls.withLock { $0 } == 3)
    }

    @Test("a host that was asked enough is busy, and nothing is sent")
    func busy() async throws {
        let http = StandIn { _ in Self.response(200) }
        var manners = Manners()
        manners.burst = 2
        manners.rate = 0.01
        manners.patience = .zero
        let polite = PoliteExchange(http, manners: manners)
        for path in ["1", "2"] { _ = try await polite.send(HTTPRequest(url: "http://a.example/\(path)"), as: .message) }
        let error = await #expect(throws: HTTPExchangeError.self) {
            try await polite.send(HTTPRequest(url: "http://a.example/3"), as: .message)
        }
        #expect(error?.code == .busy)
        _ = try await polite.send(HTTPRequest(url: "http://b.example/3"), as: .message)
        #expect(http.calls.withLock { $0 } == 3)
    }
}

extension PolitenessTests {
    @Test("a host that says nothing holds three connections at most, and others are served meanwhile")
    func silentHost() async throws {
        let (held, quick) = (Signal(), try LoopbackServer { _ in .init(200) })
        let silent = try LoopbackServer { _ in
            held.fire()
            return .init(bytes: [], then: .hang)
        }
        var settings = HTTPClient.Settings()
        settings.exceptions = Set([silent, quick].compactMap { AddressPolicy.Exception("127.0.0.1:\($0.port)") })
        let polite = PoliteExchange(try HTTPClient(settings))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    _ = try? await polite.send(HTTPRequest(url: "\(silent.url)/\(number)"), as: .message)
                }
            }
            await held.wait(after: 0, upTo: Patience.limit)
            for number in 0..<5 {
                let answer = try? await polite.send(HTTPRequest(url: "\(quick.url)/\(number)"), as: .message)
                #expect(answer?.status == 200)
            }
            group.cancelAll()
        }
        #expect((1...3).contains(silent.connections))
    }
}
