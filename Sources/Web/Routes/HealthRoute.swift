internal import PinpostCore

/// Questions that the health paths ask; each gives the trouble in words, or nil.
public struct HealthChecks: Sendable {
    /// Trouble that only a restart can end.
    public var trouble: @Sendable () async -> String?
    /// Why no messages should be sent here now.
    public var hindrance: @Sendable () async -> String?
    /// What a person should look at although messages are taken.
    public var warnings: @Sendable () async -> [String]

    public init(
        trouble: @escaping @Sendable () async -> String? = { nil },
        hindrance: @escaping @Sendable () async -> String? = { nil },
        warnings: @escaping @Sendable () async -> [String] = { [] }
    ) {
        self.trouble = trouble
        self.hindrance = hindrance
        self.warnings = warnings
    }
}

/// Whether the process works (`/healthz`) and takes messages (`/readyz`).
struct HealthRoute: Sendable {
    let checks: HealthChecks
    let shutdown: Shutdown

    func live(_ head: RequestHead) async -> HTTPAnswer {
        await answer(head) {
            await checks.trouble()
        } warnings: {
            []
        }
    }

    func ready(_ head: RequestHead) async -> HTTPAnswer {
        await answer(head) {
            shutdown.isRequested ? "Pinpost is stopping." : await checks.hindrance()
        } warnings: {
            await checks.warnings()
        }
    }

    private func answer(
        _ head: RequestHead, _ trouble: () async -> String?, warnings: () async -> [String]
    ) async -> HTTPAnswer {
        guard head.method == "GET" || head.method == "HEAD" else { return .methodNotAllowed("GET, HEAD") }
        if let trouble = await trouble() { return Problem(503, trouble).answer() }
        let warnings = await warnings().map { JSONText.quote($0) }.joined(separator: ",")
        let list = warnings.isEmpty ? "" : ",\"warnings\":[\(warnings)]"
        return HTTPAnswer(200, contentType: "application/json", text: "{\"status\":\"ok\"\(list)}\n")
    }
}

extension HTTPAnswer {
    static func methodNotAllowed(_ allowed: String) -> HTTPAnswer {
        Problem(405, "The methods here are \(allowed).").answer(fields: [Field("Allow", allowed)])
    }
}
