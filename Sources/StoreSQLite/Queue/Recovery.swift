internal import FoundationEssentials
internal import PinpostCore

/// Gives back to the queues what nobody works on any more.
struct Recovery {
    let connection: Connection
    let now: Date
    let quiet: TimeInterval

    /// At the start: everything that a predecessor had in hand is free again.
    func run(sweeping spool: Spool) throws(StoreError) {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try connection.execute("UPDATE messages SET state = 'accepted' WHERE state = 'reading'")
            let running = try connection.rows(
                "SELECT DISTINCT tenant_id FROM items WHERE state = 'running'"
            ) { (row: inout Row) throws(StoreError) -> Tenant.ID in row.id() }
            for tenant in running { try release(itemsOf: tenant) }
            try freeServers()
            try freeReplies()
            try connection.execute("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
        try spool.sweep(now: Int(now.timeIntervalSince1970)) { (blob) throws(StoreError) in
            try connection.names(blob)
        }
    }

    private func freeServers() throws(StoreError) {
        let leased = try connection.rows(
            "UPDATE servers SET lease_owner = '', lease_until = 0 WHERE lease_until <> 0 RETURNING id"
        ) { (row: inout Row) throws(StoreError) -> Server.ID in row.id() }
        for server in leased { try Schedule(connection: connection).refresh(server) }
    }

    /// Answers that the predecessor had in hand: at once, for nobody sends them any more.
    ///
    /// Those that have outlived several processes go one by one, with a pause between them that grows with each crash:
    /// one that stops the process uses up its own attempts, and not those of all that happened to be under way with it.
    private func freeReplies() throws(StoreError) {
        let interrupted = try connection.rows(
            "SELECT message_id, crashes FROM replies WHERE settled_at IS NULL AND crashes > 0 ORDER BY due_at, message_id"
        ) { (row: inout Row) throws(StoreError) -> (Message.ID, Int) in (row.id(), row.int()) }
        var due = now
        for (message, crashes) in interrupted {
            if crashes > 1 { due += Double(crashes - 1) }
            try connection.run("UPDATE replies SET due_at = ? WHERE message_id = ?", crashes > 1 ? due : now, message)
        }
    }

    /// The running items of a server whose holder has gone or is going.
    func release(itemsOn server: Server.ID) throws(StoreError) {
        // Few items run at any time, and many tenants may share the server: the items come first.
        let tenants = try connection.rows(
            """
            SELECT DISTINCT tenant_id FROM items
            WHERE state = 'running' AND (SELECT server_id FROM tenants WHERE tenants.id = items.tenant_id) = ?
            """, server
        ) { (row: inout Row) throws(StoreError) -> Tenant.ID in row.id() }
        for tenant in tenants { try release(itemsOf: tenant) }
    }

    /// A pin that was being made may exist: it is in doubt until the quiet period is over.
    private func release(itemsOf tenant: Tenant.ID) throws(StoreError) {
        let doubt = now + quiet
        try connection.run(
            """
            UPDATE items SET ambiguous_until = ?1, due_at = CASE WHEN due_at < ?1 THEN ?1 ELSE due_at END
            WHERE tenant_id = ?2 AND state = 'running' AND step = 'pin'
            """, doubt, tenant)
        let released = try connection.rows(
            "UPDATE items SET state = 'ready' WHERE tenant_id = ? AND state = 'running' RETURNING lane, due_at", tenant
        ) { (row: inout Row) throws(StoreError) in (lane: row.int() == 0 ? Lane.prepare : .deliver, due: row.date()) }
        let schedule = Schedule(connection: connection)
        for item in released {
            try schedule.itemBecameReady(of: tenant, in: item.lane, due: item.due, now: now)
        }
    }

    /// At an orderly end: what was only taken has not crashed anybody.
    static func handBack(on connection: Connection) throws(StoreError) {
        try connection.run("UPDATE messages SET state = 'accepted', crashes = crashes - 1 WHERE state = 'reading'")
        try connection.run(
            """
            UPDATE replies SET crashes = crashes - 1, due_at = tried_since WHERE settled_at IS NULL AND crashes > 0
            """)
    }
}

extension Connection {
    /// Whether any row names this spool file.
    func names(_ blob: Blob.ID) throws(StoreError) -> Bool {
        if try exists("SELECT 1 FROM messages WHERE body_blob = ?", blob) { return true }
        if try exists("SELECT 1 FROM items WHERE original_blob = ?", blob) { return true }
        if try exists("SELECT 1 FROM items WHERE prepared_blob = ?", blob) { return true }
        return try exists("SELECT 1 FROM quarantine WHERE body_blob = ?", blob)
    }
}
