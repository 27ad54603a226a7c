internal import PinpostCore

/// Taking mails in.
extension MailboxSession {
    /// Mails whose sizes are asked for at once.
    private static let chunk = 500
    /// A mail that the server will not give is let be after so many tries.
    private static let refusals = 2
    /// The same for a mail at which the connection breaks; lines break for other reasons too.
    private static let breaks = 20

    /// Reads everything from our place on.
    mutating func takeNewMail(until stop: Shutdown) async throws(IMAPError) {
        while !stop.isRequested {
            let uids = try await connection.search(from: position.nextUID)
            guard !uids.isEmpty else { break }
            for start in stride(from: 0, to: uids.count, by: Self.chunk) where !stop.isRequested {
                try await take(Array(uids[start..<min(start + Self.chunk, uids.count)]), until: stop)
            }
        }
        if wasRefusedTogether {
            // One mail may have spoilt the command for its neighbours.
            wasRefusedTogether = false
            try await retryFailing()
        }
    }

    /// Tries those again that failed before, each alone, so that they hinder no others.
    mutating func retryFailing() async throws(IMAPError) {
        let failing = try await stored { () throws(StoreError) in try await ports.state.failing(in: mailbox.id) }
        guard !failing.isEmpty else { return }
        let uids = failing.keys.sorted()
        let present = Set(try await connection.search(UIDSet.text(uids)))
        for uid in uids {
            if present.contains(uid) {
                let haul = await connection.fetch([[uid]], into: ports.blobs)
                let verdicts = try await judge(haul, of: [[uid]], attempts: failing)
                try await record(verdicts)
                if let failure = haul.failure { throw failure }
            } else {
                try await record([MailVerdict(uid: uid, fate: .gone)])
            }
        }
    }

    private mutating func take(_ uids: [UInt32], until stop: Shutdown) async throws(IMAPError) {
        let sizes = try await connection.sizes(of: uids)
        let limit = ports.limits.messageBytes
        let large = uids.filter { (sizes[$0] ?? 0) > limit }
        try await record(
            large.map { uid in
                MailVerdict(
                    uid: uid,
                    fate: .quarantined(
                        reason: "\((sizes[uid] ?? 0) >> 20) MiB; a mail may have \(limit >> 20) MiB."))
            })
        let plan = FetchPlan(uids.filter { (sizes[$0] ?? 0) <= limit }, sizes: sizes, careful: isCareful)
        try await take(plan, until: stop)
        if !stop.isRequested, let last = uids.last { try await advance(past: last) }
    }

    /// While one round is fetched, the one before is made durable.
    private mutating func take(_ plan: FetchPlan, until stop: Shutdown) async throws(IMAPError) {
        var fetched: (haul: IMAPConnection.Haul, sets: [[UInt32]])?
        for round in plan.rounds where !stop.isRequested {
            let (connection, blobs) = (connection, ports.blobs)
            async let next = connection.fetch(round, into: blobs)
            if let fetched { try await finish(fetched.haul, of: fetched.sets) }
            fetched = (await next, round)
            if fetched?.haul.failure != nil { break }
        }
        if let fetched { try await finish(fetched.haul, of: fetched.sets) }
    }

    /// Stores what a round brought, then goes on or gives up.
    private mutating func finish(_ haul: IMAPConnection.Haul, of sets: [[UInt32]]) async throws(IMAPError) {
        let verdicts = try await judge(haul, of: sets, attempts: [:])
        if !haul.refused.isEmpty, sets.contains(where: { $0.count > 1 }) { wasRefusedTogether = true }
        let judged = Set(verdicts.map(\.uid))
        let missing = sets.joined().first { !judged.contains($0) }
        let next = missing ?? (sets.last?.last).map { $0 &+ 1 } ?? position.nextUID
        try await record(verdicts, nextUID: max(next, position.nextUID))
        if let failure = haul.failure { throw failure }
    }

    /// A verdict for each mail of which something is known; those that a broken line cut off have none, unless it is
    /// known which one broke it.
    private func judge(
        _ haul: IMAPConnection.Haul, of sets: [[UInt32]], attempts: [UInt32: Int]
    ) async throws(IMAPError) -> [MailVerdict] {
        var verdicts = try await stored { () throws(StoreError) in
            try await ports.intake.take(haul.mails, in: mailbox)
        }
        for (uid, words) in haul.refused {
            verdicts.append(failure(of: uid, words, after: attempts[uid] ?? 0, most: Self.refusals))
        }
        if let failure = haul.failure, failure.isFromServer, sets.count == 1, let uid = sets[0].first,
            sets[0].count == 1, haul.mails.isEmpty
        {
            let most = failure.code == .broken ? Self.refusals : Self.breaks
            verdicts.append(self.failure(of: uid, failure.description, after: attempts[uid] ?? 0, most: most))
        }
        return verdicts
    }

    private func failure(of uid: UInt32, _ reason: String, after attempts: Int, most: Int) -> MailVerdict {
        let attempts = attempts + 1
        return MailVerdict(
            uid: uid,
            fate: attempts < most
                ? .failing(attempts: attempts, reason: reason)
                : .quarantined(reason: "Not readable in \(attempts) tries: \(reason)"))
    }

    private mutating func advance(past uid: UInt32) async throws(IMAPError) {
        guard uid >= position.nextUID, uid < .max else { return }
        try await record([], nextUID: uid + 1)
    }

    private mutating func record(_ verdicts: [MailVerdict], nextUID: UInt32? = nil) async throws(IMAPError) {
        guard !verdicts.isEmpty || nextUID != nil else { return }
        var next = position
        if let nextUID { next.nextUID = nextUID }
        let now = ports.surroundings.now()
        try await stored { [next] () throws(StoreError) in
            try await ports.state.record(verdicts, upTo: next, in: mailbox.id, now: now)
        }
        position = next
        for verdict in verdicts { log(verdict) }
    }

    private func log(_ verdict: MailVerdict) {
        let uid = Int(verdict.uid)
        switch verdict.fate {
        case .taken(let messages, _):
            for message in messages { ports.logger.info("mail taken", ["uid": uid, "message": message]) }
        case .quarantined(let reason): ports.logger.info("mail left alone", ["uid": uid, "reason": reason])
        case .failing(let attempts, let reason):
            ports.logger.warning("mail not read", ["uid": uid, "attempts": attempts, "reason": reason])
        case .gone: ports.logger.info("mail gone", ["uid": uid])
        }
    }
}

extension IMAPError {
    /// Whether the other side, or the way to it, is to blame.
    fileprivate var isFromServer: Bool {
        switch code {
        case .closed, .timedOut, .broken: true
        default: false
        }
    }
}

extension MailIntake {
    /// Takes a haul; throws the first error of the store once nothing is under way any more.
    func take(
        _ mails: [UInt32: ArrivingMail], in mailbox: WatchedMailbox
    ) async throws(StoreError) -> [MailVerdict] {
        let results = await withTaskGroup(of: Result<MailVerdict, StoreError>.self) { group in
            var waiting = mails.sorted { $0.key < $1.key }[...]
            var results: [Result<MailVerdict, StoreError>] = []
            var running = 0
            while running > 0 || !waiting.isEmpty {
                while running < Self.width, let (uid, mail) = waiting.popFirst() {
                    group.addTask { await result(of: uid, mail, in: mailbox) }
                    running += 1
                }
                if let result = await group.next() { results.append(result) }
                running -= 1
            }
            return results
        }
        var verdicts: [MailVerdict] = []
        for result in results { verdicts.append(try result.get()) }
        return verdicts
    }

    private func result(
        of uid: UInt32, _ mail: ArrivingMail, in mailbox: WatchedMailbox
    ) async -> Result<MailVerdict, StoreError> {
        do throws(StoreError) {
            return .success(MailVerdict(uid: uid, fate: try await take(mail, in: mailbox)))
        } catch {
            return .failure(error)
        }
    }
}
