internal import FoundationEssentials
public import PinpostCore

/// Watches all mailboxes, each with a task and a connection of its own, and follows changes of the list.
public final class MailboxService: Service {
    public let name = "mailboxes"

    private let ports: MailboxPorts
    /// Fires after mailboxes were added, changed or removed.
    private let changes: Signal
    private let finished: Signal
    private let bells = MailboxBells()

    private enum Event: Sendable {
        /// The list may have changed, or the stop was asked for.
        case news
        case ended(WatchedMailbox.ID)
    }

    private struct Running {
        let mailbox: WatchedMailbox
        let stop: Shutdown
    }

    public init(_ ports: MailboxPorts, changes: Signal, finished: Signal) {
        self.ports = ports
        self.changes = changes
        self.finished = finished
    }

    /// Whoever watches looks at once; false when nobody does.
    public func lookNow(at mailbox: WatchedMailbox.ID) -> Bool { bells.ring(mailbox) }

    /// One look at a mailbox, by whoever calls.
    public func look(at mailbox: WatchedMailbox) async throws(IMAPError) {
        try await watcher(of: mailbox, bell: Signal()).runOnce()
    }

    public func run(until shutdown: Shutdown) async throws {
        await withTaskGroup(of: Event.self) { group in
            var running: [WatchedMailbox.ID: Running] = [:]
            await follow(&group, &running, until: shutdown)
            while let event = await group.next() {
                switch event {
                case .news:
                    guard !shutdown.isRequested else {
                        for watched in running.values { watched.stop.request() }
                        continue
                    }
                    await follow(&group, &running, until: shutdown)
                case .ended(let id):
                    running[id] = nil
                    // It was stopped for its new settings, or a person is needed.
                    if !shutdown.isRequested { _ = await reconcile(&group, &running) }
                }
            }
        }
    }

    /// Brings the watchers in line with the list, and waits for its next change.
    private func follow(
        _ group: inout TaskGroup<Event>, _ running: inout [WatchedMailbox.ID: Running], until shutdown: Shutdown
    ) async {
        let generation = changes.generation
        let isDone = await reconcile(&group, &running)
        let waking = MailboxWaking(bell: changes, finished: finished)
        let seen = MailboxWaking.Generations(bell: generation, finished: 0)
        group.addTask {
            await waking.wait(
                after: seen, finished: false, upTo: isDone ? .seconds(3_600) : .seconds(5), until: shutdown)
            return .news
        }
    }

    /// Starts and stops watchers; false when the store could not say which.
    private func reconcile(
        _ group: inout TaskGroup<Event>, _ running: inout [WatchedMailbox.ID: Running]
    ) async -> Bool {
        do {
            let wanted = try await ports.directory.mailboxes()
            for (id, watched) in running where !wanted.contains(where: { $0.id == id && $0 == watched.mailbox }) {
                watched.stop.request()
                _ = bells.ring(id)
            }
            for mailbox in wanted where running[mailbox.id] == nil {
                guard try await ports.directory.health(of: mailbox.id).stoppedReason == nil else { continue }
                let stop = Shutdown()
                running[mailbox.id] = Running(mailbox: mailbox, stop: stop)
                let watcher = watcher(of: mailbox, bell: bells.hang(mailbox.id))
                group.addTask { [bells] in
                    await watcher.run(until: stop)
                    bells.remove(mailbox.id)
                    return .ended(mailbox.id)
                }
            }
            return true
        } catch {
            ports.logger.error("the list of mailboxes cannot be read", ["reason": "\(error)"])
            return false
        }
    }

    private func watcher(of mailbox: WatchedMailbox, bell: Signal) -> MailboxWatcher {
        var ports = ports
        ports.logger = ports.logger.with(["mailbox": mailbox.name])
        return MailboxWatcher(
            mailbox: mailbox, ports: ports, waking: MailboxWaking(bell: bell, finished: finished))
    }
}
