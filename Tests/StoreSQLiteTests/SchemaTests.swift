import FoundationEssentials
import PinpostCore
import Testing

@testable import StoreSQLite

@Suite("The schema", .timeLimit(.minutes(10)))
struct SchemaTests {
    @Test("refuses every reference from one tenant's row to another's")
    func crossedReferences() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let (ada, bob) = (try await store.addTenant("ada"), try await store.addTenant("bob"))
            let theirs = Hook(id: makeID(), tenant: bob.id, tokenHashes: [], defaults: .init(), createdAt: .noon)
            try await store.add(theirs)
            let secret = SealedSecret(id: makeID(), purpose: .addressToken, keyID: "k1", box: [1])
            let address = Address(
                id: makeID(), tenant: bob.id, tokenHash: [1], token: secret, defaults: .init(), createdAt: .noon)
            try await store.add(address)
            let (message, foreign) = (try await store.accept("a", of: ada), try await store.accept("b", of: bob))
            let crossings = [
                "UPDATE tenants SET token_id = '\(secret.id)' WHERE id = '\(ada.id)'",
                "UPDATE messages SET hook_id = '\(theirs.id)', route = '\(theirs.id)' WHERE id = '\(message)'",
                "UPDATE messages SET address_id = '\(address.id)', route = '\(address.id)' WHERE id = '\(message)'",
                "UPDATE addresses SET tenant_id = '\(ada.id)' WHERE id = '\(address.id)'",
                "UPDATE queues SET server_id = '\(bob.server)' WHERE tenant_id = '\(ada.id)'",
                """
                INSERT INTO items (id, tenant_id, message_id, sequence, arrival, link, draft, step, state, due_at, queued_at)
                VALUES ('x', '\(ada.id)', '\(foreign)', 0, 1, 'https://x', '{}', 'prepare', 'ready', 0, 0)
                """,
            ]
            for crossing in crossings {
                await #expect(throws: StoreError(.notFound), "\(crossing)") {
                    try await store.writer.write { (transaction) throws(StoreError) -> Void in
                        try transaction.connection.run(crossing)
                    }
                }
            }
            await store.close()
        }
    }

    @Test("learns which pins are replaced, but none of a server that was left")
    func replacedPins() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let tenant = try await store.addTenant()
            let replacement = Replacement(picture: "https://x/b.png", pin: PinID(21), floor: PinID(3))
            let items = (0..<4).map { number in
                NewItem(
                    id: makeID(), sequence: number, kind: .link(FoundLink(url: "https://x/\(number)")),
                    draft: PinDraft(description: "", replacement: replacement))
            }
            let message = try await store.accept("one", of: tenant)
            _ = try await store.takeAccepted(upTo: 5, now: .noon)
            try await store.split(message, into: items, skipped: [], note: nil, now: .noon)
            let found = try await store.writer.write { (transaction) throws(StoreError) -> [Int64?] in
                let connection = transaction.connection
                // Replaced; moved to another server; given up; under way.
                for (item, change) in zip(
                    items, ["state = 'done', pin_id = 22", "state = 'done'", "state = 'cancelled'", "state = 'parked'"])
                {
                    try connection.run("UPDATE items SET \(change) WHERE id = ?", item.id)
                }
                try connection.run("ALTER TABLE items DROP COLUMN replaced_pin")
                for statement in Schema12.statements { try connection.run(statement) }
                return try connection.rows("SELECT replaced_pin FROM items ORDER BY sequence") {
                    (row: inout Row) throws(StoreError) in row.optional { $0.integer() }
                }
            }
            #expect(found == [21, nil, nil, 21])
            await store.close()
        }
    }

    /// Statements that read a whole small table, or the few rows of a partial index.
    private static let allowedScans = [
        "SCAN meta", "SCAN tenants", "SCAN credentials USING COVERING INDEX credentials_key",
        "SCAN items USING COVERING INDEX items_running", "SCAN items USING INDEX items_running",
        "SCAN servers USING INDEX servers_leased", "SCAN servers USING INDEX servers_free",
        "SCAN servers USING COVERING INDEX servers_free", "SCAN servers USING COVERING INDEX servers_leased",
        "SCAN messages USING INDEX messages_reading", "SCAN messages USING INDEX messages_waiting",
        "SCAN messages USING COVERING INDEX messages_waiting", "SCAN replies USING INDEX replies_due",
    ]

    @Test("serves every statement of a message's way by an index, without sorting items")
    func plans() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            try await useEverything(store)
            let statements =
                try await store.writer.write { (transaction) throws(StoreError) in
                    transaction.connection.knownStatements
                }
                + store.readers.read { (connection) throws(StoreError) in connection.knownStatements }
            #expect(statements.count > 40)
            for statement in Set(statements) {
                let plan = try await store.readers.read { (connection) throws(StoreError) in
                    try connection.rows("EXPLAIN QUERY PLAN \(statement)") { (row: inout Row) throws(StoreError) in
                        _ = (row.int(), row.int(), row.int())
                        return row.text()
                    }
                }
                for line in plan {
                    // The first rows in the order of the primary key are found at once.
                    if line == "SCAN messages", statement.contains("FROM messages ORDER BY arrival DESC LIMIT") {
                        continue
                    }
                    let isScan = line.hasPrefix("SCAN") && !Self.allowedScans.contains { line.hasPrefix($0) }
                    let isSort =
                        line.contains("TEMP B-TREE") && !line.contains("DISTINCT") && statement.contains("items")
                    #expect(!isScan && !isSort, "\(line): \(statement)")
                }
            }
            await store.close()
        }
    }

    private func useEverything(_ store: SQLiteStore) async throws {
        let tenant = try await store.addTenant()
        let message = try await store.accept("one", of: tenant)
        _ = try await store.accept("one", of: tenant)
        _ = try await store.takeAccepted(upTo: 5, now: .noon)
        let items = (0..<3).map { number in
            NewItem(
                id: makeID(), sequence: number, kind: .link(FoundLink(url: "https://x")),
                draft: PinDraft(description: ""))
        }
        try await store.split(message, into: items, skipped: [], note: nil, owesReply: true, now: .noon)
        try await useOutbox(store)
        let lease = try #require(try await store.leaseServers(upTo: 4, now: .noon, until: .noon + 60).first)
        for _ in items {
            let item = try #require(
                try await store.take(.prepare, from: lease, now: .noon, retry: RetryPolicy()).first)
            let facts = StepFacts.pinned(PinID(1), board: BoardID(2))
            try await store.advance(item.id, to: .board, learning: facts, under: lease, now: .noon)
        }
        let batch = try await store.take(.deliver, from: lease, now: .noon, retry: RetryPolicy())
        try await store.settle(batch[0].id, as: .done(note: nil), under: lease, now: .noon)
        try await store.settle(batch[1].id, as: .retry(at: .noon, reason: ""), under: lease, now: .noon)
        try await store.settle(batch[2].id, as: .parked(reason: ""), under: lease, now: .noon)
        try await store.retry(batch[2].id, now: .noon)
        try await store.pause(lease, until: .noon, failures: 1)
        _ = try await (store.failures(of: lease), store.renew(lease, until: .noon + 60), store.nextDue())
        try await store.release(lease, now: .noon)
        _ = try await (store.nextUnread(), store.message(message), store.items(of: message), store.item(items[0].id))
        _ = try await store.messages(of: tenant.id, newest: 5)
        _ = try await (store.overview(of: nil, newest: 5), store.overview(of: tenant.id, newest: 5))
        for states in [[Item.State.parked], [.ready, .running]] as [Set<Item.State>] {
            _ = try await store.items(of: tenant.id, in: states, newest: 5)
        }
        _ = try await (store.tenant(tenant.id), store.server(tenant.server), store.hook(makeID()))
        _ = try await store.address(tokenHash: [1], now: .noon)
        try await store.stopTenant(tenant.id, reason: "x")
        let server = try #require(try await store.server(tenant.server))
        try await store.update(tenant, on: server)
        try await store.remove(tenant.id)
    }
    private func useOutbox(_ store: SQLiteStore) async throws {
        _ = try await store.nextReply()
        let reply = try #require(
            try await store.takeReplies(upTo: 5, now: .noon + SQLiteStore.patience, until: .noon + 900).first)
        _ = try await store.admit(reply, to: [1], within: ReplyLimits(), now: .noon)
        try await store.postpone(reply, until: .noon + 900, reason: "")
        try await store.settle(reply, as: .sent, now: .noon)
    }
}
