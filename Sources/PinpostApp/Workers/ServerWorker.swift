import FoundationEssentials
import PinpostCore

/// Works off one leased server: pictures are prepared ahead while Pinry gets one request at a time.
struct ServerWorker: Sendable {
    let runner: StepRunner
    let queue: any DeliveryQueue
    /// Shared by all servers: how many pictures that are here are prepared at once; they need the decoder.
    let pictures: SharedSlots
    /// Shared by all servers: how much is fetched at once; most of it waits for a site, and no picture waits for that.
    let fetches: SharedSlots
    /// Fires when items were queued, on whatever server.
    let arrivals: Signal
    let surroundings: Surroundings
    let logger: Logger

    /// How long a lease is good for without being renewed, in seconds.
    static let leaseTime: TimeInterval = 60
    /// How often, at most, a leased server looks for what has come in since.
    private static let look: Duration = .milliseconds(100)

    /// Returns when nothing is due, the lease is lost, or the stop is asked for; then the lease is given back.
    func run(_ lease: ServerLease, until shutdown: Shutdown) async {
        let deliverers = max(lease.server.maxInFlight, 1)
        let lanes = Lanes(workers: deliverers + 1)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await renew(lease, lanes) }
            group.addTask { await passOn(arrivals, to: lanes) }
            group.addTask {
                await shutdown.wait()
                lanes.end()
            }
            await withTaskGroup(of: Void.self) { workers in
                for _ in 0..<deliverers { workers.addTask { await deliver(lease, lanes) } }
                workers.addTask { await prepare(lease, lanes) }
            }
            group.cancelAll()
        }
        await release(lease)
    }

    /// Takes and performs what is for Pinry, piece by piece.
    private func deliver(_ lease: ServerLease, _ lanes: Lanes) async {
        while !lanes.isOver {
            let generation = lanes.signal.generation
            let items = await take(.deliver, passingOver: [], lease, lanes)
            guard !items.isEmpty else {
                await lanes.idle(after: generation)
                continue
            }
            let next = await perform(items, lease, lanes)
            lanes.finished(items, next: next)
        }
    }

    /// Begins to prepare whatever is due, side by side, but no tenant's beyond his share.
    private func prepare(_ lease: ServerLease, _ lanes: Lanes) async {
        await withDiscardingTaskGroup { group in
            while !lanes.isOver {
                let generation = lanes.signal.generation
                guard lanes.hasRoom,
                    let item = await take(.prepare, passingOver: fetches.sated.union(pictures.sated), lease, lanes)
                        .first
                else {
                    await lanes.idle(after: generation)
                    continue
                }
                let slots = item.kind.isFetched ? fetches : pictures
                slots.reserve(for: item.tenant)
                lanes.began()
                group.addTask {
                    await slots.acquire()
                    let next = await perform([item], lease, lanes)
                    slots.release(by: item.tenant)
                    lanes.finished([item], next: next)
                }
            }
        }
    }

    private func take(
        _ lane: Lane, passingOver others: Set<Tenant.ID>, _ lease: ServerLease, _ lanes: Lanes
    ) async -> [Item] {
        do throws(StoreError) {
            return try await runner.take(lane, from: lease, passingOver: others)
        } catch {
            end(lanes, of: lease, after: error)
            return []
        }
    }

    /// Performs a step; what had to wait for its turn until the end of the work is given back untried.
    private func perform(_ items: [Item], _ lease: ServerLease, _ lanes: Lanes) async -> Item.Step? {
        do throws(StoreError) {
            if lanes.isOver {
                try await runner.giveBack(items, under: lease)
                return nil
            }
            return try await runner.perform(items, under: lease)
        } catch {
            end(lanes, of: lease, after: error)
            return nil
        }
    }

    /// The release puts right what was left running.
    private func end(_ lanes: Lanes, of lease: ServerLease, after error: StoreError) {
        logger.error("work on a server ends early", ["server": lease.server.id, "reason": error.description])
        lanes.end()
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
