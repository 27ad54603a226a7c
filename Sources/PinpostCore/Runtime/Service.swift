/// A long-running part of the process; `run` returns when asked to stop or when nothing is left to do.
public protocol Service: Sendable {
    /// For logs and errors.
    var name: String { get }
    func run(until shutdown: Shutdown) async throws
}

/// Owns the tasks of all services: one that fails stops the others, and nobody outlives the group.
public struct ServiceGroup: Sendable {
    private enum Event: Sendable {
        case ended
        case failed(any Error)
        case graceIsOver
    }

    private let services: [any Service]
    private let grace: Duration

    /// Makes a group whose services have `grace` to finish once the stop is asked for; then their tasks are cancelled.
    public init(_ services: [any Service], grace: Duration = .seconds(25)) {
        self.services = services
        self.grace = grace
    }

    /// Runs until every service has returned; throws the first service's error.
    public func run(until shutdown: Shutdown) async throws {
        let failure = await withTaskGroup(of: Event.self) { group in
            for service in services { group.addTask { await Self.event(of: service, until: shutdown) } }
            group.addTask { [grace] in
                await shutdown.wait()
                try? await Task.sleep(for: grace)
                return .graceIsOver
            }
            return await supervise(&group, until: shutdown)
        }
        if let failure { throw failure }
    }

    private static func event(of service: any Service, until shutdown: Shutdown) async -> Event {
        do {
            try await service.run(until: shutdown)
            return .ended
        } catch {
            return .failed(error)
        }
    }

    private func supervise(_ group: inout TaskGroup<Event>, until shutdown: Shutdown) async -> (any Error)? {
        var failure: (any Error)?
        var running = services.count
        while running > 0, let event = await group.next() {
            switch event {
            case .ended:
                running -= 1
            case .failed(let error):
                running -= 1
                if failure == nil, !(error is CancellationError) { failure = error }
                shutdown.request()
            case .graceIsOver:
                group.cancelAll()
            }
        }
        group.cancelAll()
        return failure
    }
}
