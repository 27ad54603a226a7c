import FoundationEssentials
import PinpostCore

/// Works off one leased server: pictures are prepared ahead while Pinry gets one request at a time.
struct ServerWorker: Sendable {
    let runner: StepRunner
    let queue: any DeliveryQueue
    /// Shared by all servers: how many pictures are prepared at once.
    let preparing: Slots
    /// Fires when items were queued, on whatever server.
    let arrivals: Signal
    let surroundings: Surroundings
    let logger: Logger

    /// How long a lease is good for without being renewed, in seconds.
    static let leaseTime: TimeInterval = 60
    /// Links and pictures of one server that are prepared at the same time: a site that does not answer holds up
    /// fewer than these (`Manners.requestsAtOnce`).
    private static let preparers = 6
    /// How often, at most, a leased server looks for what has come in since.
    private static let look: Duration = .milliseconds(100)

    /// Returns when nothing is due, the lease is lost, or the stop is asked for; then the lease is given back.
    func run(_ lease: ServerLease, until shutdown: Shutdown) async {
        let deliverers = max(lease.server.maxInFlight, 1)
        let lanes = Lanes(workers: deliverers + Self.preparers)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await renew(lease, lanes) }
            group.addTask { await passOn(arrivals, to: lanes) }
            group.addTask {
                await shutdown.wait()
                lanes.end()
            }
            await withTaskGroup(of: Void.self) { workers in
                for _ in 0..<deliverers { workers.addTask { await work(.deliver, lease, lanes) } }
                for _ in 0..<Self.preparers { workers.addTask { await work(.prepare, lease, lanes) } }
            }
            group.cancelAll()
        }
        await release(lease)
    }

    private func work(_ lane: Lane, _ lease: ServerLease, _ lanes: Lanes) async {
        while !lanes.isOver {
            let generation = lanes.signal.generation
            do throws(StoreError) {
                if try await performNext(lane, lease, lanes) { continue }
            } catch {
                // The release puts right what was left running.
                logger.error("work on a server ends early", ["server": lease.server.id, "reason": error.description])
                lanes.end()
            }
            await lanes.idle(after: generation)
        }
    }

    /// Takes and performs one piece of work; false when there is none.
    private func performNext(
        _ lane: Lane, _ lease: ServerLease, _ lanes: Lanes
    ) async throws(StoreError) -> Bool {
        if lane == .prepare {
            guard lanes.hasRoom else { return false }
            await preparing.acquire()
        }
        defer { if lane == .prepare { preparing.release() } }
        let items = try await runner.take(lane, from: lease)
        guard let first = items.first else { return false }
        try await runner.perform(items, under: lease)
        lanes.finished(first.step)
        return true
    }

    private func passOn(_ arrivals: Signal, to lanes: Lanes) async {
        while !Task.isCancelled {
            await arrivals.wait(after: arrivals.generation, upTo: .seconds(1))
            lanes.signal.fire()
            try? await Task.sleep(for: Self.look)
        }
    }

    /// Renews the lease until it is cancelled; a lease that is lost ends the work at the next step.
    private func renew(_ lease: ServerLease, _ lanes: Lanes) async {
        while true {
            guard (try? await Task.sleep(for: .seconds(Self.leaseTime / 3))) != nil else { return }
            do throws(StoreError) {
                _ = try await queue.renew(lease, until: surroundings.now() + Self.leaseTime)
            } catch {
                logger.error("a lease is not renewed", ["server": lease.server.id, "reason": error.description])
                if error.code == .leaseLost { return lanes.end() }
            }
        }
    }

    /// Tries until it works: a lease that is neither renewed nor released runs out by itself.
    private func release(_ lease: ServerLease) async {
        for _ in 0..<Int(Self.leaseTime) {
            do throws(StoreError) {
                return try await queue.release(lease, now: surroundings.now())
            } catch {
                guard error.code != .leaseLost else { return }
                logger.error("a lease is not released", ["server": lease.server.id, "reason": error.description])
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            }
        }
    }
}
