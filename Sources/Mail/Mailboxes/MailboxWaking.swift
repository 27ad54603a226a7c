internal import PinpostCore

/// What ends a watcher's wait: somebody asks for a look, messages have become final, or the stop.
struct MailboxWaking: Sendable {
    /// Rung by `poll-now`.
    let bell: Signal
    /// Fires after messages have become final.
    let finished: Signal

    struct Generations: Sendable {
        let bell: Int
        let finished: Int
    }

    var generations: Generations { Generations(bell: bell.generation, finished: finished.generation) }

    /// Rings the connection's alarm at the first of these; returns at once when the task is cancelled.
    func ring(
        _ connection: IMAPConnection, after generations: Generations, finished watchesFinished: Bool,
        until stop: Shutdown
    ) async {
        await wait(after: generations, finished: watchesFinished, upTo: .seconds(3_600), until: stop)
        if !Task.isCancelled { connection.ring() }
    }

    /// Waits for the first of these, or for the limit.
    func wait(
        after generations: Generations, finished watchesFinished: Bool, upTo limit: Duration, until stop: Shutdown
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await stop.wait() }
            group.addTask { await bell.wait(after: generations.bell, upTo: limit) }
            if watchesFinished { group.addTask { await finished.wait(after: generations.finished, upTo: limit) } }
            await group.next()
            group.cancelAll()
        }
    }
}
