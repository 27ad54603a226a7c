import FoundationEssentials
import PinpostCore
import StoreSQLite

extension Composition {
    /// What `/metrics` tells at this moment; what cannot be asked for is left out.
    var metrics: @Sendable () async -> [Metric] {
        { [store, surroundings, meter] in
            let now = surroundings.now()
            var metrics = [
                Metric(
                    "pinpost_build_info", .gauge, "The version that runs.",
                    [Metric.Sample(labels: [("version", Version.current)], 1)])
            ]
            if let figures = try? await store.figures() { metrics += figures.metrics }
            if let due = try? await store.nextDue() {
                let late = max(now.timeIntervalSince(due), 0)
                metrics.append(Metric("pinpost_due_items_wait_seconds", "How long the longest due item waits.", late))
            }
            metrics += await MailboxMetrics.read(from: store, now: now)
            return metrics + meter.metrics
        }
    }
}

extension StoreFigures {
    fileprivate var metrics: [Metric] {
        let items = [
            ("prepare", itemsToPrepare), ("deliver", itemsToDeliver), ("running", runningItems),
            ("parked", parkedItems),
        ]
        return [
            Metric("pinpost_unread_messages", "Messages that wait to be read.", Double(unreadMessages)),
            Metric(
                "pinpost_waiting_items", .gauge,
                "Pictures and links that are not pinned: before their preparation, before Pinry, under way, parked.",
                items.map { Metric.Sample(labels: [("state", $0)], Double($1)) }),
            Metric("pinpost_owed_replies", "Answers that are not given yet.", Double(owedReplies)),
            Metric("pinpost_held_mails", "Mails in quarantine.", Double(heldMails)),
            Metric("pinpost_disk_free_bytes", "Room on the disk of the data folder.", Double(freeBytes)),
        ]
    }
}

/// How the mailboxes are doing.
enum MailboxMetrics {
    /// More have no samples: each makes seven.
    private static let most = 200

    static func read(from directory: any MailboxDirectory, now: Date) async -> [Metric] {
        guard let mailboxes = try? await directory.mailboxes() else { return [] }
        var (states, ages, refused): ([Metric.Sample], [Metric.Sample], [Metric.Sample]) = ([], [], [])
        for mailbox in mailboxes.prefix(most) {
            guard let health = try? await directory.health(of: mailbox.id) else { continue }
            let label = ("mailbox", mailbox.name)
            let state = health.state(since: mailbox.createdAt, now: now)
            states += MailboxHealth.State.allCases.map {
                Metric.Sample(labels: [label, ("state", $0.rawValue)], $0 == state ? 1 : 0)
            }
            let age = now.timeIntervalSince(health.lastSuccess ?? mailbox.createdAt)
            ages.append(Metric.Sample(labels: [label], max(age, 0)))
            refused.append(Metric.Sample(labels: [label], Double(health.unreadable)))
        }
        return [
            Metric("pinpost_mailbox_state", .gauge, "1 for the state that a mailbox is in.", states),
            Metric(
                "pinpost_mailbox_silence_seconds", .gauge, "Since all new mail had been read.", ages),
            Metric(
                "pinpost_mailbox_refused_mails", .gauge, "Mails of 30 days that the server would not give.",
                refused),
        ]
    }
}
