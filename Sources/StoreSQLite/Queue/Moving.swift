internal import FoundationEssentials
internal import PinpostCore

/// Adding, changing and removing tenants, with what that means for their items.
extension Connection {
    /// Adds the server, or gives the one of that id its new settings: those that are not as in `known`.
    func put(_ new: Server, changedFrom known: Server?) throws(StoreError) {
        var server = new
        if let known, let current = try self.server(new.id) { server = new.changed(from: known, onto: current) }
        try run(
            """
            INSERT INTO servers (id, base_url, dialect, allows_private, ca_pem, max_in_flight, newest_pin,
                max_upload_bytes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET allows_private = excluded.allows_private, ca_pem = excluded.ca_pem,
                max_in_flight = excluded.max_in_flight, max_upload_bytes = excluded.max_upload_bytes
            """,
            server.id, server.baseURL, server.dialect.rawValue, server.allowsPrivateNetwork, server.caPEM,
            server.maxInFlight, server.newestPin, server.uploadLimit)
    }

    func insert(_ tenant: Tenant) throws(StoreError) {
        try run(
            """
            INSERT INTO tenants (id, slug, server_id, username, board, stopped_reason, preferences, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            tenant.id, tenant.slug, tenant.server, tenant.username, try tenant.board.encoded(), tenant.stoppedReason,
            try JSONColumn.encode(tenant.preferences), tenant.createdAt)
        for lane in Lane.allCases {
            try run(
                "INSERT INTO queues (tenant_id, lane, server_id, is_stopped) VALUES (?, ?, ?, ?)",
                tenant.id, lane, tenant.server, tenant.stoppedReason != nil)
        }
        guard let token = tenant.token else { return }
        try token.insert(for: tenant.id, on: self)
        try run("UPDATE tenants SET token_id = ? WHERE id = ?", token.id, tenant.id)
    }

    /// Nobody needs to know a server without tenants.
    func removeUnusedServer(_ server: Server.ID) throws(StoreError) {
        try run(
            "DELETE FROM servers WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM tenants WHERE server_id = ?1)", server)
    }
}

extension Transaction {
    mutating func replace(_ old: Tenant, with new: Tenant) throws(StoreError) {
        try connection.run(
            """
            UPDATE tenants SET slug = ?, server_id = ?, username = ?, board = ?, stopped_reason = ?, preferences = ?
            WHERE id = ?
            """,
            new.slug, new.server, new.username, try new.board.encoded(), new.stoppedReason,
            try JSONColumn.encode(new.preferences), new.id)
        try replaceToken(of: old, with: new.token)
        if old.server != new.server { try moveItems(of: new) }
        let schedule = Schedule(connection: connection)
        if new.stoppedReason != nil { try schedule.stop(new.id) } else { try schedule.resume(new.id) }
        guard old.server != new.server else { return }
        try schedule.refresh(new.server)
        try schedule.refresh(old.server)
        try connection.removeUnusedServer(old.server)
    }

    private func replaceToken(of old: Tenant, with token: SealedSecret?) throws(StoreError) {
        guard old.token != token else { return }
        try connection.run("UPDATE tenants SET token_id = NULL WHERE id = ?", old.id)
        if let token = old.token { try SealedSecret.remove(token.id, of: old.id, on: connection) }
        guard let token else { return }
        try token.insert(for: old.id, on: connection)
        try connection.run("UPDATE tenants SET token_id = ? WHERE id = ?", token.id, old.id)
    }

    /// Image, pin and board ids mean nothing on another server.
    ///
    /// What was uploaded is uploaded again; a pin in doubt cannot be looked up any more; one that is pinned stays so.
    private mutating func moveItems(of tenant: Tenant) throws(StoreError) {
        for item in try connection.unfinishedItems(of: tenant.id) {
            switch item.step {
            case .pin where item.state != .parked && (item.ambiguousUntil != nil || item.state == .running):
                try finish(
                    item.id, of: item.message, as: .parked,
                    reason: "The server was changed while an answer was open: it may be pinned on the old one.",
                    now: item.queuedAt)
            case .board:
                try finish(
                    item.id, of: item.message, as: .done, reason: "Pinned on the old server, without its board.",
                    now: item.queuedAt)
            default: break
            }
            try connection.redirect(item, to: tenant.board)
        }
        // A page is "already pinned" on the server of the pin only.
        try connection.run(
            """
            UPDATE items SET pin_id = NULL, replaced_pin = NULL, draft = json_remove(draft, '$.replacement')
            WHERE tenant_id = ? AND (pin_id IS NOT NULL OR replaced_pin IS NOT NULL)
            """, tenant.id)
        // What is under way belongs to the old server's lease: its result is dropped.
        try connection.run(
            """
            UPDATE items SET step = CASE WHEN step = 'pin' THEN 'upload' ELSE step END, attempt = 0, image_id = NULL,
                pin_floor = NULL, board_id = NULL, ambiguous_until = NULL, lease_epoch = -1,
                state = CASE WHEN state = 'running' THEN 'ready' ELSE state END
            WHERE tenant_id = ? AND state IN ('ready', 'running', 'parked') AND step <> 'done'
            """, tenant.id)
    }

    mutating func removeEverything(of tenant: Tenant.ID) throws(StoreError) {
        for query in [
            "SELECT body_blob FROM messages WHERE tenant_id = ? AND body_blob IS NOT NULL",
            "SELECT original_blob FROM items WHERE tenant_id = ? AND original_blob IS NOT NULL",
            "SELECT prepared_blob FROM items WHERE tenant_id = ? AND prepared_blob IS NOT NULL",
        ] {
            effects.orphanedBlobs += try connection.rows(query, tenant) {
                (row: inout Row) throws(StoreError) -> Blob.ID in row.id()
            }
        }
        effects.finishedMessages += try connection.rows(
            "SELECT id FROM messages WHERE tenant_id = ? AND state IN ('accepted', 'reading', 'delivering')", tenant
        ) { (row: inout Row) throws(StoreError) -> Message.ID in row.id() }
        try emptyQuarantine(of: tenant)
        try connection.run("UPDATE tenants SET token_id = NULL WHERE id = ?", tenant)
        for table in [
            "layout_pictures", "replies", "items", "album_parts", "delivery_names", "messages", "addresses", "hooks",
            "boards", "queues",
            "credentials",
        ] {
            try connection.run("DELETE FROM \(table) WHERE tenant_id = ?", tenant)
        }
        try connection.run("DELETE FROM tenants WHERE id = ?", tenant)
    }
}

extension Connection {
    fileprivate func unfinishedItems(of tenant: Tenant.ID) throws(StoreError) -> [Item] {
        try rows(
            """
            SELECT \(Item.columns) FROM \(Item.tables)
            WHERE items.tenant_id = ? AND state IN ('ready', 'running', 'parked')
            """, tenant
        ) { (row: inout Row) throws(StoreError) in try Item(&row) }
    }

    /// A board of the old server is replaced by the tenant's own choice on the new one.
    fileprivate func redirect(_ item: Item, to board: Board?) throws(StoreError) {
        var draft = item.draft
        if case .board = draft.destination { draft.destination = board.map { .board($0.id) } ?? .none }
        // On the new server that number is somebody else's pin.
        draft.replacement = nil
        guard draft != item.draft else { return }
        try run("UPDATE items SET draft = ? WHERE id = ?", try JSONColumn.encode(draft), item.id)
    }
}
