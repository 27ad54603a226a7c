import PinpostCore
import StoreSQLite
import Web

extension Composition {
    /// What `/readyz` asks: whether a message can be stored at this moment, and whether every mailbox hears.
    var health: HealthChecks {
        let recent = RecentAnswer()
        return HealthChecks(
            hindrance: { [store] in
                await recent.words {
                    do throws(StoreError) {
                        try await store.probe()
                        return nil
                    } catch {
                        return error.description
                    }
                }
            },
            warnings: { [store, surroundings] in
                // A store that cannot say has shown above that it is in trouble.
                guard let mailboxes = try? await store.mailboxes() else { return [] }
                var warnings: [String] = []
                for mailbox in mailboxes {
                    guard let health = try? await store.health(of: mailbox.id),
                        health.isDeaf(since: mailbox.createdAt, now: surroundings.now())
                    else { continue }
                    warnings.append("Mailbox \(mailbox.name) is \(health.stoppedReason == nil ? "deaf" : "stopped").")
                }
                return warnings
            })
    }
}
