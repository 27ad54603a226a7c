internal import Cryptography
public import FoundationEssentials
public import PinpostCore

/// The outbox of answers.
extension SQLiteStore: ReplyQueue {
    public func takeReplies(
        within room: ReplyRoom, now: Date, until deadline: Date
    ) async throws(StoreError) -> [OwedReply] {
        try await writer.write { (transaction) throws(StoreError) in
            let connection = transaction.connection
            var (room, replies) = (room, [OwedReply]())
            var lanes = LaneRound(from: room.previous)
            while room.total > 0, let lane = try lanes.next(on: connection) {
                while room.left(in: lane) > 0, let message = try connection.dueReply(in: lane, now: now) {
                    room.take(in: lane)
                    try connection.run(
                        """
                        UPDATE replies SET attempt = attempt + 1, crashes = crashes + 1, due_at = ?,
                            tried_since = coalesce(tried_since, ?)
                        WHERE message_id = ?
                        """, deadline, now, message)
                    replies.append(try connection.owedReply(to: message))
                }
            }
            return replies
        }
    }

    public func settle(_ reply: OwedReply, as outcome: ReplyOutcome, now: Date) async throws(StoreError) {
        var reason: String?
        if case .notSent(let words) = outcome { reason = words }
        let (message, isSent, words) = (reply.message.id, outcome == .sent, reason)
        try await writer.write { (transaction) throws(StoreError) in
            let changed = try transaction.connection.run(
                """
                UPDATE replies SET settled_at = ?, is_sent = ?, reason = ?
                WHERE message_id = ? AND attempt = ? AND settled_at IS NULL
                """, now, isSent, words, message, reply.attempt)
            guard changed > 0 else { throw StoreError(.leaseLost) }
            // Items that are still on their way need the body no less than before.
            if try transaction.connection.message(message)?.state == .done { try transaction.dropBody(of: message) }
        }
    }

    public func note(_ outcome: UndoOutcome, of reply: OwedReply, now: Date) async throws(StoreError) {
        var order = reply.message.envelope.undo
        order?.outcome = outcome
        let (message, json) = (reply.message.id, try JSONColumn.encode(order))
        try await writer.write { (transaction) throws(StoreError) in
            let connection = transaction.connection
            let changed = try connection.run(
                """
                UPDATE replies SET due_at = ?, tried_since = NULL, crashes = 0, reason = NULL, lane = ?
                WHERE message_id = ? AND attempt = ? AND settled_at IS NULL
                """, now, try connection.wayBack(of: reply.message), message, reply.attempt)
            guard changed > 0 else { throw StoreError(.leaseLost) }
            try connection.run(
                "UPDATE messages SET envelope = json_set(envelope, '$.undo', json(?)) WHERE id = ?", json, message)
        }
    }

    public func postpone(_ reply: OwedReply, until due: Date, reason: String) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            let changed = try transaction.connection.run(
                """
                UPDATE replies SET due_at = ?, reason = ?, crashes = 0
                WHERE message_id = ? AND attempt = ? AND settled_at IS NULL
                """, due, reason, reply.message.id, reply.attempt)
            guard changed > 0 else { throw StoreError(.leaseLost) }
        }
    }

    public func nextReply() async throws(StoreError) -> Date? {
        try await readers.read { (connection) throws(StoreError) in
            try connection.first("SELECT due_at FROM replies WHERE settled_at IS NULL ORDER BY due_at LIMIT 1") {
                (row: inout Row) throws(StoreError) in row.date()
            }
        }
    }
}

extension SQLiteStore: ReplyGate {
    public func admit(
        _ reply: OwedReply, to correspondent: [UInt8], within limits: ReplyLimits, now: Date
    ) async throws(StoreError) -> Bool {
        try await writer.write { (transaction) throws(StoreError) in
            let connection = transaction.connection
            let (message, tenant) = (reply.message.id, reply.tenant.id)
            if try connection.exists(
                "SELECT 1 FROM replies WHERE message_id = ? AND admitted_at IS NOT NULL", message)
            {
                return true
            }
            let toThem = try connection.count(
                "SELECT count(*) FROM replies WHERE correspondent = ? AND admitted_at > ?", correspondent, now - 3_600)
            let ours = try connection.count(
                "SELECT count(*) FROM replies WHERE tenant_id = ? AND admitted_at > ?", tenant, now - 86_400)
            guard toThem < limits.hourlyPerCorrespondent, ours < limits.dailyPerTenant else { return false }
            try connection.run(
                "UPDATE replies SET correspondent = ?, admitted_at = ? WHERE message_id = ?", correspondent, now,
                message)
            return true
        }
    }
}

extension Connection {
    /// Puts an answer into the outbox: due once the message is done, or when patience ends.
    func oweReply(to message: Message.ID, now: Date) throws(StoreError) {
        guard let owed = try self.message(message) else { return }
        var lane = try wayBack(of: owed)
        if owed.envelope.undo != nil, let tenant = try tenant(owed.tenant) {
            lane = OwedReply.lane(ofOrdersAt: tenant.server)
        }
        try run(
            """
            INSERT INTO replies (message_id, tenant_id, due_at, lane, conversation)
            SELECT id, tenant_id, received_at + ?, ?, ? FROM messages WHERE id = ?
            """, Int(SQLiteStore.patience * 1_000_000), lane,
            SHA256.hash(owed.conversation),
            message)
    }

    /// The lane of whoever takes the answer.
    fileprivate func wayBack(of message: Message) throws(StoreError) -> String {
        guard case .hook(let id) = message.route else { return OwedReply.mailLane }
        return try hook(id)?.replyLane ?? OwedReply.mailLane
    }

    /// The message is done: an answer that nobody has tried yet is due at once; whether one is owed at all.
    func bringForward(replyTo message: Message.ID, now: Date) throws(StoreError) -> Bool {
        try run(
            """
            UPDATE replies SET due_at = ?1
            WHERE message_id = ?2 AND settled_at IS NULL AND attempt = 0 AND due_at > ?1
            """, now, message)
        return try exists("SELECT 1 FROM replies WHERE message_id = ? AND settled_at IS NULL", message)
    }

    /// The longest due answer of a lane, unless one of its conversation was tried there before it and is not settled.
    fileprivate func dueReply(in lane: String, now: Date) throws(StoreError) -> Message.ID? {
        try first(
            """
            SELECT message_id FROM replies
            WHERE settled_at IS NULL AND lane = ?1 AND due_at <= ?2
                AND NOT EXISTS (
                    SELECT 1 FROM replies AS earlier
                    WHERE earlier.conversation = replies.conversation AND earlier.lane = replies.lane
                        AND earlier.settled_at IS NULL
                        AND earlier.attempt > 0 AND earlier.tried_since > ?3
                        AND earlier.message_id <> replies.message_id
                        AND (replies.tried_since IS NULL
                            OR (earlier.tried_since, earlier.message_id) < (replies.tried_since, replies.message_id)))
            ORDER BY due_at LIMIT 1
            """, lane, now, now - SQLiteStore.order
        ) { (row: inout Row) throws(StoreError) -> Message.ID in row.id() }
    }

    fileprivate func owedReply(to id: Message.ID) throws(StoreError) -> OwedReply {
        let state = try first("SELECT attempt, tried_since, lane FROM replies WHERE message_id = ?", id) {
            (row: inout Row) throws(StoreError) in (attempt: row.int(), since: row.date(), lane: row.text())
        }
        guard let state, let message = try message(id), let tenant = try tenant(message.tenant),
            let server = try server(tenant.server)
        else { throw StoreError(.corrupt, "an answer is owed to a message that is not there") }
        return OwedReply(
            message: message, items: try items(ofMessage: id), tenant: tenant, server: server, attempt: state.attempt,
            triedSince: state.since, lane: state.lane)
    }

    fileprivate func count(_ sql: String, _ first: any SQLConvertible, _ second: any SQLConvertible) throws(StoreError)
        -> Int
    {
        try self.first(sql, first, second) { (row: inout Row) throws(StoreError) in row.int() } ?? 0
    }
}

/// The lanes in which something is owed, once around; one look into the index for each.
private struct LaneRound {
    private let start: String
    private var last: String
    private var hasTurned = false
    private var isOver = false

    /// Begins behind that lane, which comes last.
    init(from start: String) { (self.start, last) = (start, start) }

    mutating func next(on connection: Connection) throws(StoreError) -> String? {
        while !isOver {
            let lane = try connection.first(
                "SELECT lane FROM replies WHERE settled_at IS NULL AND lane > ? ORDER BY lane LIMIT 1", last
            ) { (row: inout Row) throws(StoreError) in row.text() }
            isOver = hasTurned && (lane == nil || lane == start)
            if let lane {
                last = lane
                return lane
            }
            (hasTurned, last) = (true, "")
        }
        return nil
    }
}
