import PinpostCore
import Testing

@testable import Web

@Suite("The listener for metrics", .timeLimit(.minutes(10)))
struct MetricsServiceTests {
    @Test("tells metrics and health, and nothing else")
    func paths() async throws {
        let checks = HealthChecks(hindrance: { "the disk is full" })
        let service = MetricsService(health: checks, until: Shutdown()) {
            [Metric("x_things", "Things.", 3), Metric("y_things", "More.", 0.5)]
        }
        try await withServer(handler: service) { server in
            let page = try await server.send(own(.get("/metrics")))
            #expect(page?.status == 200)
            #expect(page?.field("content-type") == "text/plain; version=0.0.4; charset=utf-8")
            #expect(
                page?.body == """
                    # HELP x_things Things.
                    # TYPE x_things gauge
                    x_things 3
                    # HELP y_things More.
                    # TYPE y_things gauge
                    y_things 0.5

                    """)
            #expect(try await server.status(own(.get("/healthz"))) == 200)
            #expect(try await server.status(own(.get("/readyz"))) == 503)
            #expect(try await server.status(own(Request(path: "/metrics"))) == 405)
            for path in ["/", "/v1/hooks/x", "/openapi.json", "/metrics/x"] {
                #expect(try await server.status(own(.get(path))) == 404, "\(path)")
            }
        }
    }

    @Test("answers to this machine's own names alone: a page must not read it under a name that leads here")
    func hosts() async throws {
        let service = MetricsService(health: HealthChecks(), until: Shutdown()) { [] }
        try await withServer(handler: service) { server in
            func status(_ host: String) async throws -> Int? {
                try await server.send("GET /metrics HTTP/1.1\r\nHost: \(host)\r\n\r\n")?.status
            }
            for own in ["127.0.0.1", "127.0.0.1:9464", "[::1]", "[::1]:9464", "localhost:1", "LOCALHOST"] {
                #expect(try await status(own) == 200, "\(own)")
            }
            for foreign in [
                "evil.example", "evil.example:9464", "127.0.0.1.evil.example", "localhost.evil.example:80", "",
                "127.0.0.2", "::1", "127.0.0.1:80:80", "127.0.0.1:x",
            ] {
                #expect(try await status(foreign) == 421, "\(foreign)")
            }
            let old = try await server.send("GET /metrics HTTP/1.0\r\n\r\n")
            #expect(old?.status == 200)
        }
    }
}

/// The same, as it reaches this machine under its own name.
private func own(_ request: Request) -> Request {
    var request = request
    request.host = "localhost"
    return request
}
