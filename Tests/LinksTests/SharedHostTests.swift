import CurlKit
import PinpostCore
import PinpostTesting
import Testing

@testable import Links

/// Everybody's links go through one exchange: what one tenant's link meets must not be another's loss.
@Suite("Hosts that several tenants' links lead to", .timeLimit(.minutes(10)))
struct SharedHostTests {
    private typealias StandIn = PolitenessTests.StandIn

    private static func page(_ url: String) -> Result<HTTPResponse, HTTPExchangeError> {
        .success(HTTPResponse(status: 200, headers: [], body: [1], url: url))
    }

    private static func get(_ url: String, within limit: Duration = .seconds(20)) -> HTTPRequest {
        HTTPRequest(url: url, timeout: limit)
    }

    @Test("a request that hardly had any time says nothing about its host; one that had enough does")
    func haste() async throws {
        let http = StandIn { $0.hasSuffix("slow") ? .failure(HTTPExchangeError(.timedOut)) : Self.page($0) }
        let polite = PoliteExchange(http)
        let slow = "http://a.example/slow"
        for (limit, isShut) in [(Duration.milliseconds(100), false), (.seconds(4), false), (.seconds(20), true)] {
            await #expect(throws: HTTPExchangeError.self) {
                try await polite.send(Self.get(slow, within: limit), as: .message)
            }
            let answer = try? await polite.send(Self.get("http://a.example/good"), as: .message)
            #expect((answer == nil) == isShut, "\(limit)")
        }
    }

    @Test("one slow page is no dead site while others are answered")
    func slowPage() async throws {
        let (started, opened) = (Signal(), Signal())
        let http = GatedExchange(
            gated: "slow", started: started, opened: opened, outcome: .failure(HTTPExchangeError(.timedOut)))
        let polite = PoliteExchange(http)
        let slow = Task { try await polite.send(Self.get("http://a.example/slow"), as: .message) }
        await started.wait(after: 0, upTo: Patience.limit)
        _ = try await polite.send(Self.get("http://a.example/1"), as: .message)
        opened.fire()
        let error = await #expect(throws: HTTPExchangeError.self) { try await slow.value }
        #expect(error?.code == .timedOut)
        #expect(try await polite.send(Self.get("http://a.example/2"), as: .message).status == 200)
    }

    @Test("a host without TLS is not dead for those who ask without")
    func otherScheme() async throws {
        let polite = PoliteExchange(
            StandIn { $0.hasPrefix("https") ? .failure(HTTPExchangeError(.connectFailed)) : Self.page($0) })
        await #expect(throws: HTTPExchangeError.self) {
            try await polite.send(Self.get("https://a.example/"), as: .message)
        }
        #expect(try await polite.send(Self.get("http://a.example/"), as: .message).status == 200)
    }

    @Test("a redirect to a dead host does not shut the host that redirects")
    func redirectElsewhere() async throws {
        let gone = try LoopbackServer { _ in .init(200) }
        let target = gone.url
        gone.stop()
        let site = try LoopbackServer { request in
            request.target == "/short" ? .init(302, [("Location", target)]) : .init(200)
        }
        var settings = HTTPClient.Settings()
        settings.exceptions = Set([gone, site].compactMap { AddressPolicy.Exception("127.0.0.1:\($0.port)") })
        let polite = PoliteExchange(try HTTPClient(settings))
        let error = await #expect(throws: HTTPExchangeError.self) {
            try await polite.send(Self.get("\(site.url)/short"), as: .message)
        }
        #expect(error?.code == .connectFailed && error?.redirects == 1)
        #expect(try await polite.send(Self.get("\(site.url)/good"), as: .message).status == 200)
    }

    @Test("whoever shares the request of somebody with little time asks again in his own")
    func sharedFlight() async throws {
        let (started, opened) = (Signal(), Signal())
        let http = GatedExchange(
            gated: "page", started: started, opened: opened, outcome: .failure(HTTPExchangeError(.timedOut)))
        let polite = PoliteExchange(http)
        let hurried = Task {
            try await polite.send(Self.get("http://a.example/page", within: .seconds(4)), as: .message)
        }
        await started.wait(after: 0, upTo: Patience.limit)
        // Begins at once, so that it waits for the flight under way.
        let patient = Task.immediate {
            try await polite.send(Self.get("http://a.example/page", within: .seconds(60)), as: .message)
        }
        opened.fire()
        await #expect(throws: HTTPExchangeError.self) { try await hurried.value }
        #expect(try await patient.value.status == 200)
    }
}

/// Lets the first request for one page wait for a gate and then end as told; everything else is answered.
private actor GatedExchange: HTTPExchange {
    private let gated: String
    private let started: Signal
    private let opened: Signal
    private let outcome: Result<HTTPResponse, HTTPExchangeError>
    private var hasWaited = false

    init(gated: String, started: Signal, opened: Signal, outcome: Result<HTTPResponse, HTTPExchangeError>) {
        self.gated = gated
        self.started = started
        self.opened = opened
        self.outcome = outcome
    }

    func send(_ request: HTTPRequest, as _: EgressClass) async throws(HTTPExchangeError) -> HTTPResponse {
        guard request.url.hasSuffix(gated), !hasWaited else {
            return HTTPResponse(status: 200, headers: [], body: [1], url: request.url)
        }
        hasWaited = true
        started.fire()
        await opened.wait(after: 0, upTo: Patience.limit)
        return try outcome.get()
    }
}
