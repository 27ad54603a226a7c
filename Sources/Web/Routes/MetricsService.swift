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
        guard Self.isOwn(head.field("host")) else {
            return .answer(
                Problem(421, "Ask for 127.0.0.1, [::1] or localhost: other names in Host are not answered here.")
                    .answer())
        }
        return await route(head)
    }

    /// A page whose name was made to lead to this machine (DNS rebinding) sends that name: browsers would let it read
    /// the answer, for nobody logs in here.
    private static func isOwn(_ host: String?) -> Bool {
        guard let host else { return true }
        let end = host.lastIndex(of: ":").flatMap { colon in
            host[colon...].dropFirst().utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? colon : nil
        }
        return ["127.0.0.1", "[::1]", "localhost"].contains(host[..<(end ?? host.endIndex)].lowercased())
    }

    private func route(_ head: RequestHead) async -> Opening {
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
