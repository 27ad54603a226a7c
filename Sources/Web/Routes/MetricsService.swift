public import PinpostCore

/// What a listener of its own tells the machines that watch Pinpost: metrics, and the health paths once more.
public struct MetricsService: RequestHandler {
    private let health: HealthRoute
    private let metrics: @Sendable () async -> [Metric]

    public init(health: HealthChecks, until shutdown: Shutdown, metrics: @escaping @Sendable () async -> [Metric]) {
        self.health = HealthRoute(checks: health, shutdown: shutdown)
        self.metrics = metrics
    }

    public func open(_ head: RequestHead) async -> Opening {
        switch head.target.segments {
        case ["metrics"]: .answer(await page(head))
        case ["healthz"]: .answer(await health.live(head))
        case ["readyz"]: .answer(await health.ready(head))
        default: .answer(WebService.nothing)
        }
    }

    private func page(_ head: RequestHead) async -> HTTPAnswer {
        guard head.method == "GET" || head.method == "HEAD" else { return .methodNotAllowed("GET, HEAD") }
        return HTTPAnswer(
            200, contentType: "text/plain; version=0.0.4; charset=utf-8",
            text: await metrics().map(\.text).joined())
    }
}
