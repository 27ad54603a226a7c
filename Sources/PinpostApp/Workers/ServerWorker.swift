import FoundationEssentials
import PinpostCore

/// Works off one leased server: pictures are prepared ahead while Pinry gets one request at a time.
struct ServerWorker: Sendable {
    let runner: StepRunner
    let queue: any DeliveryQueue
    /// Shared by all servers: how many pictures are prepared at once.
    let preparing: Slots
    let surroundings: Surroundings
    let logger: Logger

    /// How long a lease is good for without being renewed, in seconds.
    static let leaseTime: TimeInterval = 60

    /// Returns when nothing is due, the lease is lost, or the stop is asked for; then the lease is given back.
    func run(_ lease: ServerLease, until shutdown: Shutdown) async {
        let lanes = Lanes(preparers: Slots.preparersPerServer)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await keep(lease, lanes) }
            await withTaskGroup(of: Void.self) { work in
                for _ in 0..<max(lease.server.maxInFlight, 1) {
                    work.addTask { await deliver(lease, lanes, until: shutdown) }
                }
                for _ in 0..<Slots.preparersPerServer {
                    work.addTask { await prepare(lease, lanes, until: shutdown) }
                }
            }
            group.cancelAll()
        }
        await release(lease)
    }

    private func deliver(_ lease: ServerLease, _ lanes: Lanes, until shutdown: Shutdown) async {
        while !shutdown.isRequested, !lanes.isBroken {
            let generation = lanes.signal.generation
            let items = await lanes.attempt(logger) { () async throws(StoreError) in
                try await runner.take(.deliver, from: lease)
            }
            guard let items, let first = items.first else {
                if lanes.deliveryIsOver() { return }
                await lanes.signal.wait(after: generation, upTo: .seconds(1))
                continue
            }
            lanes.deliveryBegins(first.step)
            await lanes.attempt(logger) { () async throws(StoreError) in
                try await runner.perform(items, under: lease)
            }
        }
    }

    private func prepare(_ lease: ServerLease, _ lanes: Lanes, until shutdown: Shutdown) async {
        defer { lanes.preparerEnds() }
        while !shutdown.isRequested, !lanes.isBroken, await lanes.roomToPrepare() {
            await preparing.acquire()
            let items = await lanes.attempt(logger) { () async throws(StoreError) in
                let items = try await runner.take(.prepare, from: lease)
                try await runner.perform(items, under: lease)
                return items
            }
            preparing.release()
            guard let items, !items.isEmpty else { return }
            lanes.prepared()
        }
    }

    /// Renews the lease until it is cancelled; a lease that is lost ends the work at the next step.
    private func keep(_ lease: ServerLease, _ lanes: Lanes) async {
        while !Task.isCancelled {
            guard (try? await Task.sleep(for: .seconds(Self.leaseTime / 3))) != nil else { return }
            await lanes.attempt(logger) { () async throws(StoreError) in
                _ = try await queue.renew(lease, until: surroundings.now() + Self.leaseTime)
            }
        }
    }

    /// Tries until it works: a lease that is neither renewed nor released runs out by itself.
    private func release(_ lease: ServerLease) async {
        for _ in 0..<Int(Self.leaseTime) {
            do {
                return try await queue.release(lease, now: surroundings.now())
            } catch  where error.code == .leaseLost {
                return
            } catch {
                logger.error("a lease cannot be released", ["server": lease.server.id, "reason": error.description])
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            }
        }
    }
}
