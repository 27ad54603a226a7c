internal import FoundationEssentials
internal import PinpostCore

/// Keeps the due times of queues and servers true, so that nobody has to look through the items.
///
/// A queue (tenant and lane) is ready from the later of its earliest due item and its last serving: in that order the
/// tenants of a server take turns. A server's `next_due` is never later than its earliest ready queue.
struct Schedule {
    static let never = Int64.max

    let connection: Connection

    /// An item of this lane may be taken from `due` on.
    func itemBecameReady(
        of tenant: Tenant.ID, in lane: Lane, due: Date, now: Date
    ) throws(StoreError) {
        let ready = max(due, now).microseconds
        let isEarlier = try connection.run(
            """
            UPDATE queues SET ready_at = ?1
            WHERE tenant_id = ?2 AND lane = ?3 AND ready_at > ?1 AND is_stopped = 0
            """, ready, tenant, lane)
        guard isEarlier > 0 else { return }
        try connection.run(
            """
            UPDATE servers
            SET next_due = ?1, wake_at = CASE WHEN paused_until > ?1 THEN paused_until ELSE ?1 END
            WHERE id = (SELECT server_id FROM tenants WHERE id = ?2) AND next_due > ?1
            """, ready, tenant)
    }

    /// The queue was looked at or served: it goes behind those that have waited longer.
    func requeue(_ tenant: Tenant.ID, _ lane: Lane, turn: Int64, now: Date) throws(StoreError) {
        let due = try earliestDue(of: tenant, in: lane)
        try connection.run(
            "UPDATE queues SET ready_at = ?, turn = ? WHERE tenant_id = ? AND lane = ? AND is_stopped = 0",
            due.map { max($0, now.microseconds) } ?? Self.never, turn, tenant, lane)
    }

    private func earliestDue(of tenant: Tenant.ID, in lane: Lane) throws(StoreError) -> Int64? {
        try connection.first(
            """
            SELECT due_at FROM items WHERE tenant_id = ? AND lane = ? AND state = 'ready'
            ORDER BY due_at, arrival, is_late, sequence LIMIT 1
            """, tenant, lane
        ) { (row: inout Row) throws(StoreError) in row.integer() }
    }

    /// Nothing of the tenant is taken until `resume`.
    func stop(_ tenant: Tenant.ID) throws(StoreError) {
        try connection.run("UPDATE queues SET is_stopped = 1, ready_at = ? WHERE tenant_id = ?", Self.never, tenant)
    }

    /// The tenant's items may be taken again, from their own due times on.
    func resume(_ tenant: Tenant.ID) throws(StoreError) {
        try connection.run("UPDATE queues SET is_stopped = 0 WHERE tenant_id = ?", tenant)
        for lane in Lane.allCases {
            guard let due = try earliestDue(of: tenant, in: lane) else { continue }
            let time = Date(microseconds: due)
            try itemBecameReady(of: tenant, in: lane, due: time, now: time)
        }
    }

    /// Looks up when the server has work again.
    func refresh(_ server: Server.ID) throws(StoreError) {
        var due = Self.never
        for lane in Lane.allCases {
            let ready = try connection.first(
                "SELECT ready_at FROM queues WHERE server_id = ? AND lane = ? ORDER BY ready_at LIMIT 1", server, lane
            ) { (row: inout Row) throws(StoreError) in row.integer() }
            due = min(due, ready ?? Self.never)
        }
        try connection.run(
            """
            UPDATE servers SET next_due = ?1, wake_at = CASE WHEN paused_until > ?1 THEN paused_until ELSE ?1 END
            WHERE id = ?2
            """, due, server)
    }
}
