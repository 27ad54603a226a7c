import FoundationEssentials
import PinpostCore

/// Reads accepted messages and turns them into items.
struct SplitterService: Service {
    let name = "splitter"
    let splitter: Splitter
    let queue: any SplitQueue
    let surroundings: Surroundings
    /// Fires when a message was accepted.
    let arrivals: Signal
    let logger: Logger

    /// Messages that are read at the same time; each may hold a picture's worth of memory.
    private static let width = 2

    func run(until shutdown: Shutdown) async throws {
        var rush = Rush(generation: arrivals.generation, now: .now)
        while !shutdown.isRequested {
            let generation = arrivals.generation
            rush.look(at: generation, now: .now)
            let messages = await take(upTo: rush.batch)
            guard messages.isEmpty else {
                let start = ContinuousClock.now
                await split(messages)
                let work = ContinuousClock.now - start
                rush.note(messages.count, took: work)
                if rush.isOn, messages.contains(where: { Rush.slows($0.envelope) }) {
                    await shutdown.wait(upTo: Rush.rest(after: work))
                }
                continue
            }
            let pause = await pause()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await arrivals.wait(after: generation, upTo: pause) }
                group.addTask { await shutdown.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Until the next album is complete; a store that cannot say is asked again after the longest pause.
    private func pause() async -> Duration {
        guard let due = try? await queue.nextUnread() else { return .seconds(5) }
        return min(max(.seconds(due.timeIntervalSince(surroundings.now())), .milliseconds(20)), .seconds(5))
    }

    /// A store that fails now is asked again later; nothing is lost meanwhile.
    private func take(upTo count: Int) async -> [Message] {
        do {
            return try await queue.takeAccepted(upTo: count, now: surroundings.now())
        } catch {
            logger.error("messages cannot be taken", ["reason": error.description])
            try? await Task.sleep(for: .seconds(1))
            return []
        }
    }

    private func split(_ messages: [Message]) async {
        await withTaskGroup(of: Void.self) { group in
            for (number, message) in messages.enumerated() {
                if number >= Self.width { await group.next() }
                group.addTask { await splitter.split(message) }
            }
        }
    }
}
