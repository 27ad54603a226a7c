public import FoundationEssentials
public import PinpostCore

/// Items of a leased server: taking them, and writing down what became of them.
extension SQLiteStore: DeliveryQueue {
    public func take(
        _ lane: Lane, from lease: ServerLease, passingOver others: Set<Tenant.ID>, now: Date, retry: RetryPolicy
    ) async throws(StoreError) -> [Item] {
        try await writer.write { (transaction) throws(StoreError) in
            guard let turn = try transaction.connection.turn(of: lease, now: now) else { return [] }
            var taking = Taking(
                lane: lane, lease: lease, others: others, turn: turn, now: now, retry: retry)
            return try taking.run(in: &transaction)
        }
    }

    public func advance(
        _ item: Item.ID, to step: Item.Step, learning facts: StepFacts, under lease: ServerLease, now: Date
    ) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            let running = try transaction.connection.runningItem(item, under: lease)
            try transaction.learn(facts, about: item, on: lease.server.id)
            // The last step stays in the same hands: `settle` follows.
            let isLast = step == .done
            try transaction.connection.run(
                """
                UPDATE items SET attempt = CASE WHEN step = ?1 THEN attempt ELSE 0 END,
                    ambiguous_until = CASE WHEN step = ?1 THEN ambiguous_until END,
                    step = ?1, state = ?2, lane = ?3, is_late = ?4, due_at = queued_at, crashes = 0, reason = NULL
                WHERE id = ?5
                """,
                step.rawValue, (isLast ? Item.State.running : .ready).rawValue, step.lane, step.isLate, item)
            let siblings = Siblings(connection: transaction.connection)
            let due = try step == .upload ? siblings.due(item, now: now) : now
            if !isLast { try transaction.itemBecameReady(running, in: step.lane, due: due, now: now) }
            if running.lane == .prepare { try transaction.letSiblingsGo(of: running, now: now) }
        }
    }

    public func settle(
        _ item: Item.ID, as outcome: Outcome, under lease: ServerLease, now: Date
    ) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            let running = try transaction.connection.runningItem(item, under: lease)
            switch outcome {
            case .done(let note):
                try transaction.finish(item, of: running.message, as: .done, reason: note, now: now)
            case .parked(let reason):
                try transaction.finish(item, of: running.message, as: .parked, reason: reason, now: now)
            case .retry(let time, let reason):
                try transaction.putBack(running, due: time, reason: reason, now: now)
            case .snooze(let time, let reason):
                try transaction.putBack(running, due: time, reason: reason, isCounted: false, now: now)
            case .ambiguous(let time, let reason):
                try transaction.connection.run("UPDATE items SET ambiguous_until = ? WHERE id = ?", time, item)
                try transaction.putBack(running, due: time, reason: reason, now: now)
            }
            if running.lane == .prepare { try transaction.letSiblingsGo(of: running, now: now) }
        }
    }

    public func stopTenant(_ tenant: Tenant.ID, reason: String) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            let changed = try transaction.connection.run(
                "UPDATE tenants SET stopped_reason = ? WHERE id = ?", reason, tenant)
            guard changed > 0 else { throw StoreError(.notFound, "tenant") }
            try Schedule(connection: transaction.connection).stop(tenant)
            transaction.effects.directoryChanged = true
        }
    }
}

/// What the writes about an item under way need to know of it.
private struct RunningItem {
    let id: Item.ID
    let tenant: Tenant.ID
    let message: Message.ID
    let lane: Lane
}

extension Connection {
    /// The number of the next serving; nil while the server is paused.
    fileprivate func turn(of lease: ServerLease, now: Date) throws(StoreError) -> Int64? {
        let state = try first(
            "SELECT turn, paused_until FROM servers WHERE id = ? AND lease_epoch = ?", lease.server.id, lease.epoch
        ) { (row: inout Row) throws(StoreError) in (turn: row.integer(), pausedUntil: row.date()) }
        guard let state else { throw StoreError(.leaseLost) }
        return state.pausedUntil > now ? nil : state.turn + 1
    }

    fileprivate func runningItem(_ id: Item.ID, under lease: ServerLease) throws(StoreError) -> RunningItem {
        try check(lease)
        let item = try first(
            "SELECT tenant_id, message_id, lane FROM items WHERE id = ? AND state = 'running' AND lease_epoch = ?",
            id, lease.epoch
        ) { (row: inout Row) throws(StoreError) in
            RunningItem(id: id, tenant: row.id(), message: row.id(), lane: row.int() == 0 ? .prepare : .deliver)
        }
        guard let item else { throw StoreError(.leaseLost) }
        return item
    }
}

extension Transaction {
    fileprivate mutating func itemBecameReady(
        _ item: RunningItem, in lane: Lane, due: Date, now: Date
    ) throws(StoreError) {
        try Schedule(connection: connection).itemBecameReady(of: item.tenant, in: lane, due: due, now: now)
        effects.itemsArrived = true
    }

    /// Items that waited for this one to be prepared are due at once.
    fileprivate mutating func letSiblingsGo(of item: RunningItem, now: Date) throws(StoreError) {
        guard try Siblings(connection: connection).letGo(of: item.message, now: now) else { return }
        try itemBecameReady(item, in: .deliver, due: now, now: now)
    }

    fileprivate mutating func putBack(
        _ item: RunningItem, due: Date, reason: String, isCounted: Bool = true, now: Date
    ) throws(StoreError) {
        try connection.run(
            "UPDATE items SET state = 'ready', due_at = ?, reason = ?, crashes = 0, attempt = attempt - ? WHERE id = ?",
            due, reason, isCounted ? 0 : 1, item.id)
        try itemBecameReady(item, in: item.lane, due: due, now: now)
    }

    fileprivate mutating func learn(
        _ facts: StepFacts, about item: Item.ID, on server: Server.ID
    ) throws(StoreError) {
        switch facts {
        case .prepared(let picture): try connection.keep(picture, of: item)
        case .found(let picture, let notes):
            try connection.keep(picture, of: item)
            try connection.keep(notes, of: item)
        case .uploaded(let image, let floor, let thumbnail):
            try connection.run(
                "UPDATE items SET image_id = ?, pin_floor = ?, thumbnail = ? WHERE id = ?", image, floor, thumbnail,
                item)
        case .pinned(let pin, let board):
            try connection.run(
                "UPDATE items SET pin_id = ?, board_id = ? WHERE id = ?", pin, board, item)
        case .imageLost:
            try connection.run(
                "UPDATE items SET image_id = NULL, pin_floor = NULL WHERE id = ?", item)
        case .tooLarge(let limit):
            try dropPrepared(of: item)
            try lowerUploadLimit(of: server, to: limit)
        case .notPinned:
            try connection.run("UPDATE items SET ambiguous_until = NULL WHERE id = ?", item)
        }
    }
}
