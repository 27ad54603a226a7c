import PinpostCore

/// The data folder, opened by this very process.
struct OpenedFolder: Sendable {
    let desk: AdminDesk
    /// Reads and delivers messages until the stop is asked for.
    let work: @Sendable (Shutdown) async throws -> Void
    let close: @Sendable () async -> Void
}

/// Performs actions in this process, for want of a daemon.
struct LocalConnection: AdminConnection {
    let folder: OpenedFolder

    func perform<Action: AdminAction>(_ action: Action, body: any AdminBody) async throws -> Action.Answer {
        try await action.perform(at: folder.desk, body: body)
    }

    func delivering<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        let shutdown = Shutdown()
        async let work: Void = folder.work(shutdown)
        do {
            let result = try await body()
            shutdown.request()
            try await work
            return result
        } catch {
            shutdown.request()
            try? await work
            throw error
        }
    }
}
