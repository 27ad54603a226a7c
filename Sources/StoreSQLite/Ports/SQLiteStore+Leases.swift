public import FoundationEssentials
public import PinpostCore

/// The part of `DeliveryQueue` that is about servers: leases, the breaker, the floor.
extension SQLiteStore {
    public func leaseServers(
        upTo limit: Int, now: Date, until expiry: Date
    ) async throws(StoreError) -> [ServerLease] {
        let (owner, quiet) = (owner, quiet)
        return try await writer.write { (transaction) throws(StoreError) in
            let connection = transaction.connection
            var leases: [ServerLease] = []
            for candidate in try connection.leasableServers(upTo: limit, now: now) {
                if candidate.isAbandoned {
                    try Recovery(connection: connection, now: now, quiet: quiet).release(itemsOn: candidate.id)
                }
                leases.append(try connection.lease(candidate, to: owner, until: expiry))
            }
            return leases
        }
    }

    public func renew(_ lease: ServerLease, until expiry: Date) async throws(StoreError) -> ServerLease {
        let owner = owner
        return try await writer.write { (transaction) throws(StoreError) in
            let changed = try transaction.connection.run(
                "UPDATE servers SET lease_until = ? WHERE id = ? AND lease_epoch = ? AND lease_owner = ?",
                expiry, lease.server.id, lease.epoch, owner)
            guard changed > 0, let server = try transaction.connection.server(lease.server.id) else {
                throw StoreError(.leaseLost)
            }
            return ServerLease(server: server, epoch: lease.epoch, expiry: expiry)
        }
    }

    public func release(_ lease: ServerLease, now: Date) async throws(StoreError) {
        let quiet = quiet
        try await writer.write { (transaction) throws(StoreError) in
            let connection = transaction.connection
            try connection.check(lease)
            try Recovery(connection: connection, now: now, quiet: quiet).release(itemsOn: lease.server.id)
            try Schedule(connection: connection).refresh(lease.server.id)
            // The next holder gets a higher epoch, so this one is over.
            try connection.run(
                "UPDATE servers SET lease_owner = '', lease_until = 0, lease_epoch = lease_epoch + 1 WHERE id = ?",
                lease.server.id)
            transaction.effects.itemsArrived = true
        }
    }

    public func pause(_ lease: ServerLease, until: Date, failures: Int) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            try transaction.connection.check(lease)
            try transaction.connection.run(
                """
                UPDATE servers SET paused_until = ?1, failures = ?2,
                    wake_at = CASE WHEN next_due > ?1 THEN next_due ELSE ?1 END
                WHERE id = ?3
                """, until, failures, lease.server.id)
            transaction.effects.itemsArrived = true
        }
    }

    public func failures(of lease: ServerLease) async throws(StoreError) -> Int {
        let failures = try await readers.read { (connection) throws(StoreError) in
            try connection.first(
                "SELECT failures FROM servers WHERE id = ? AND lease_epoch = ?", lease.server.id, lease.epoch
            ) { (row: inout Row) throws(StoreError) in row.int() }
        }
        guard let failures else { throw StoreError(.leaseLost) }
        return failures
    }

    public func noteNewestPin(_ pin: PinID, under lease: ServerLease) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            try transaction.connection.check(lease)
            let changed = try transaction.connection.run(
                "UPDATE servers SET newest_pin = ?1 WHERE id = ?2 AND newest_pin < ?1", pin, lease.server.id)
            if changed > 0 { transaction.effects.changedServers.append(lease.server.id) }
        }
    }

    public func nextDue() async throws(StoreError) -> Date? {
        try await readers.read { (connection) throws(StoreError) in
            let free = try connection.first(
                "SELECT wake_at FROM servers WHERE lease_until = 0 ORDER BY wake_at LIMIT 1"
            ) { (row: inout Row) throws(StoreError) in row.integer() }
            // Few are leased: their holders know when there is work, others wait for the lease to run out.
            let leased = try connection.rows(
                "SELECT lease_until FROM servers WHERE lease_until <> 0"
            ) { (row: inout Row) throws(StoreError) in row.integer() }
            let earliest = (leased + [free].compactMap(\.self)).min() ?? Schedule.never
            return earliest == Schedule.never ? nil : Date(microseconds: earliest)
        }
    }
}

extension Transaction {
    /// Writes down that a server refuses more bytes; one that is known to refuse less stays.
    mutating func lowerUploadLimit(of server: Server.ID, to limit: Int) throws(StoreError) {
        let changed = try connection.run(
            """
            UPDATE servers SET max_upload_bytes = ?1
            WHERE id = ?2 AND (max_upload_bytes IS NULL OR max_upload_bytes > ?1)
            """, limit, server)
        if changed > 0 { effects.changedServers.append(server) }
    }
}

private struct LeasableServer {
    let id: Server.ID
    /// Somebody's lease ran out, or a crash left it.
    let isAbandoned: Bool
}

extension Connection {
    /// Fails when another holder has taken the server since.
    func check(_ lease: ServerLease) throws(StoreError) {
        let isHeld = try exists(
            "SELECT 1 FROM servers WHERE id = ? AND lease_epoch = ?", lease.server.id, lease.epoch)
        guard isHeld else { throw StoreError(.leaseLost) }
    }

    func server(_ id: Server.ID) throws(StoreError) -> Server? {
        try first("SELECT \(Server.columns) FROM servers WHERE id = ?", id) {
            (row: inout Row) throws(StoreError) in try Server(&row)
        }
    }

    /// Free servers with due work first, then those whose lease ran out.
    fileprivate func leasableServers(upTo limit: Int, now: Date) throws(StoreError) -> [LeasableServer] {
        let free = try rows(
            "SELECT id FROM servers WHERE lease_until = 0 AND wake_at <= ? ORDER BY wake_at LIMIT ?", now, limit
        ) { (row: inout Row) throws(StoreError) in LeasableServer(id: row.id(), isAbandoned: false) }
        let abandoned = try rows(
            """
            SELECT id FROM servers WHERE lease_until <> 0 AND lease_until <= ? ORDER BY lease_until LIMIT ?
            """, now, limit - free.count
        ) { (row: inout Row) throws(StoreError) in LeasableServer(id: row.id(), isAbandoned: true) }
        return free + abandoned
    }

    fileprivate func lease(
        _ candidate: LeasableServer, to owner: String, until expiry: Date
    ) throws(StoreError) -> ServerLease {
        let epoch = try first(
            """
            UPDATE servers SET lease_owner = ?, lease_until = ?, lease_epoch = lease_epoch + 1 WHERE id = ?
            RETURNING lease_epoch
            """, owner, expiry, candidate.id
        ) { (row: inout Row) throws(StoreError) in row.integer() }
        guard let epoch, let server = try server(candidate.id) else { throw StoreError(.notFound, "server") }
        return ServerLease(server: server, epoch: epoch, expiry: expiry)
    }
}
