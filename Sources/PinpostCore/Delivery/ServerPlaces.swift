internal import Synchronization

/// Keeps what is under way to each server within its limit, whatever lane it comes from; the others wait in their order.
public final class ServerPlaces: Sendable {
    private struct Queue {
        var underWay = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let queues = Mutex<[Server.ID: Queue]>([:])

    public init() {}

    /// Performs one piece of work for a server once there is a place.
    func run<Result: Sendable>(for server: Server, _ work: () async throws -> Result) async throws -> Result {
        await enter(server)
        defer { leave(server.id) }
        return try await work()
    }

    /// How many wait for a place.
    func waiting(for server: Server.ID) -> Int { queues.withLock { $0[server]?.waiting.count ?? 0 } }

    private func enter(_ server: Server) async {
        await withCheckedContinuation { continuation in
            let isFree = queues.withLock { queues in
                var queue = queues[server.id, default: Queue()]
                let isFree = queue.underWay < max(server.maxInFlight, 1)
                if isFree { queue.underWay += 1 } else { queue.waiting.append(continuation) }
                queues[server.id] = queue
                return isFree
            }
            if isFree { continuation.resume() }
        }
    }

    /// The place goes to whoever has waited longest.
    private func leave(_ server: Server.ID) {
        let next: CheckedContinuation<Void, Never>? = queues.withLock { queues in
            guard var queue = queues[server] else { return nil }
            let next = queue.waiting.isEmpty ? nil : queue.waiting.removeFirst()
            if next == nil { queue.underWay -= 1 }
            queues[server] = queue.underWay > 0 ? queue : nil
            return next
        }
        next?.resume()
    }
}
