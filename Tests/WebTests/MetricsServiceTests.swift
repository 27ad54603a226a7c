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
            let page = try await server.send(.get("/metrics"))
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
            #expect(try await server.status(.get("/healthz")) == 200)
            #expect(try await server.status(.get("/readyz")) == 503)
            #expect(try await server.status(Request(path: "/metrics")) == 405)
            for path in ["/", "/v1/hooks/x", "/openapi.json", "/metrics/x"] {
                #expect(try await server.status(.get(path)) == 404, "\(path)")
            }
        }
    }
}
