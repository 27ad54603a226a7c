internal import Cryptography
internal import FoundationEssentials
internal import PinpostCore

/// One taking of work from a leased server: whose turn it is, which item, and the count before the call.
struct Taking {
    /// Items of one board that go together.
    private static let boardBatch = 10
    /// An item whose preparation was under way when this many processes died is parked; more than for a message,
    /// because decoding takes long enough to be hit by kills from outside.
    private static let deadlyCrashes = 5
    /// Items and queues that are passed over before the caller gets his chance to stop.
    private static let passLimit = 256

    let lane: Lane
    let lease: ServerLease
    /// Passed over: they have their share already.
    let others: Set<Tenant.ID>
    let turn: Int64
    let now: Date
    let retry: RetryPolicy

    /// An item that is due, and what decides whether it may be tried again.
    private struct Candidate {
        let id: Item.ID
        let message: Message.ID
        let step: Item.Step
        let attempt: Int
        let crashes: Int
        let queuedAt: Date
        let board: BoardID?
        let isInDoubt: Bool
        let reason: String?
    }

    mutating func run(in transaction: inout Transaction) throws(StoreError) -> [Item] {
        let schedule = Schedule(connection: transaction.connection)
        for _ in 0..<Self.passLimit {
            guard let tenant = try nextTenant(on: transaction.connection) else { return [] }
            let taken = try take(of: tenant, in: &transaction)
            try schedule.requeue(tenant, lane, turn: turn, now: now)
            guard !taken.isEmpty else { continue }
            try transaction.connection.run("UPDATE servers SET turn = ? WHERE id = ?", turn, lease.server.id)
            return try transaction.connection.items(taken)
        }
        return []
    }

    private func nextTenant(on connection: Connection) throws(StoreError) -> Tenant.ID? {
        try connection.rows(
            """
            SELECT tenant_id FROM queues WHERE server_id = ? AND lane = ? AND ready_at <= ?
            ORDER BY ready_at, turn LIMIT ?
            """, lease.server.id, lane, now, others.count + 1
        ) { (row: inout Row) throws(StoreError) -> Tenant.ID in row.id() }
        .first { !others.contains($0) }
    }

    /// Takes the tenant's first due item that may be tried; a board step brings its companions along.
    private func take(of tenant: Tenant.ID, in transaction: inout Transaction) throws(StoreError) -> [Item.ID] {
        for _ in 0..<Self.passLimit {
            guard let candidate = try firstDue(of: tenant, on: transaction.connection) else { return [] }
            guard try start(candidate, in: &transaction) else { continue }
            guard candidate.step == .board, let board = candidate.board else { return [candidate.id] }
            var taken = [candidate.id]
            for companion in try companions(of: tenant, for: board, on: transaction.connection) {
                if try start(companion, in: &transaction) { taken.append(companion.id) }
            }
            return taken
        }
        return []
    }

    /// Counts the attempt and writes the next one's time; false when there is none, and the item is parked.
    private func start(_ item: Candidate, in transaction: inout Transaction) throws(StoreError) -> Bool {
        if lane == .prepare, item.crashes >= Self.deadlyCrashes {
            let reason = "poison: preparing it stopped Pinpost \(item.crashes) times"
            try transaction.finish(item.id, of: item.message, as: .parked, reason: reason, now: now)
            return false
        }
        var random = SystemRandom()
        let next = retry.next(after: item.attempt + 1, queuedAt: item.queuedAt, now: now, using: &random)
        guard let next else {
            try transaction.finish(item.id, of: item.message, as: .parked, reason: givingUp(on: item), now: now)
            return false
        }
        try transaction.connection.run(
            """
            UPDATE items SET state = 'running', attempt = attempt + 1, crashes = crashes + ?, due_at = ?, lease_epoch = ?
            WHERE id = ?
            """, lane == .prepare ? 1 : 0, next, lease.epoch, item.id)
        return true
    }

    private func givingUp(on item: Candidate) -> String {
        let days = Int(retry.horizon / 86_400)
        let doubt = item.isInDoubt ? " It may be pinned already: look before sending it again." : ""
        return "Given up after \(days) days: \(item.reason ?? "no answer").\(doubt)"
    }

    private static let columns =
        "id, message_id, step, attempt, crashes, queued_at, board_id, ambiguous_until IS NOT NULL, reason"

    private static func read(_ row: inout Row) throws(StoreError) -> Candidate {
        Candidate(
            id: row.id(), message: row.id(), step: try row.choice(), attempt: row.int(), crashes: row.int(),
            queuedAt: row.date(), board: row.optional { BoardID($0.integer()) }, isInDoubt: row.flag(),
            reason: row.optional { $0.text() })
    }

    private func firstDue(of tenant: Tenant.ID, on connection: Connection) throws(StoreError) -> Candidate? {
        try connection.first(
            """
            SELECT \(Self.columns) FROM items
            WHERE tenant_id = ? AND lane = ? AND state = 'ready' AND due_at <= ?
            ORDER BY due_at, arrival, is_late, sequence LIMIT 1
            """, tenant, lane, now, read: Self.read)
    }

    private func companions(
        of tenant: Tenant.ID, for board: BoardID, on connection: Connection
    ) throws(StoreError) -> [Candidate] {
        try connection.rows(
            """
            SELECT \(Self.columns) FROM items
            WHERE tenant_id = ? AND board_id = ? AND state = 'ready' AND step = 'board' AND due_at <= ?
            ORDER BY due_at LIMIT ?
            """, tenant, board, now, Self.boardBatch - 1, read: Self.read)
    }
}
