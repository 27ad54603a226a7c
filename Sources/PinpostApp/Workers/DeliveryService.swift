import FoundationEssentials
import PinpostCore

/// Leases servers that have due work and lets a worker work off each.
struct DeliveryService: Service {
    let name = "delivery"
    let worker: ServerWorker
    let queue: any DeliveryQueue
    /// Fires when an item was queued or a tenant was changed.
    let arrivals: Signal
    let surroundings: Surroundings
    let logger: Logger

    /// Servers that are worked on at the same time.
    private static let width = 64
    /// The store is asked at least this often, whatever the signal says.
    private static let poll: Duration = .seconds(5)

    func run(until shutdown: Shutdown) async throws {
        let ended = Signal()
        await withTaskGroup(of: Void.self) { group in
            let busy = Counter()
            while !shutdown.isRequested {
                let (arrived, finished) = (arrivals.generation, ended.generation)
                let leases = await lease(upTo: Self.width - busy.value)
                for lease in leases {
                    busy.add(1)
                    group.addTask {
                        await worker.run(lease, until: shutdown)
                        busy.add(-1)
                        ended.fire()
                    }
                }
                if leases.isEmpty { await idle(arrived, ended, finished, until: shutdown) }
            }
        }
    }

    private func lease(upTo limit: Int) async -> [ServerLease] {
        guard limit > 0 else { return [] }
        do {
            let now = surroundings.now()
            return try await queue.leaseServers(upTo: limit, now: now, until: now + ServerWorker.leaseTime)
        } catch {
            logger.error("servers cannot be leased", ["reason": error.description])
            return []
        }
    }

    private func idle(_ arrived: Int, _ ended: Signal, _ finished: Int, until shutdown: Shutdown) async {
        let pause = await pause()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await arrivals.wait(after: arrived, upTo: pause) }
            group.addTask { await ended.wait(after: finished, upTo: pause) }
            group.addTask { await shutdown.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    private func pause() async -> Duration {
        guard let due = try? await queue.nextDue() else { return Self.poll }
        let seconds = max(due.timeIntervalSince(surroundings.now()), 0.02)
        return min(.seconds(seconds), Self.poll)
    }
}
