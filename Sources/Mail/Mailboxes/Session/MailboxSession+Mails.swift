internal import FoundationEssentials
internal import PinpostCore

/// Taking new mails in.
extension MailboxSession {
    /// Mails whose sizes are asked for at once.
    static let chunk = 500

    /// Reads everything from our place on.
    ///
    /// Whatever fails here has failed among others and counts against no mail: those concerned are asked for again
    /// alone, after all others.
    mutating func takeNewMail(until stop: Shutdown) async throws(IMAPError) {
        var suspects = 0
        while !stop.isRequested, suspects < Self.chunk {
            let first = position.nextUID
            let found = try await connection.search(from: first)
            guard !found.isEmpty else { return }
            let judged = try await stored { () throws(StoreError) in
                try await ports.state.judged(in: mailbox.id, from: first)
            }
            let uids = judged.isEmpty ? found : found.filter { !judged.contains($0) }
            guard !uids.isEmpty else { return }
            for start in stride(from: 0, to: uids.count, by: Self.chunk)
            where !stop.isRequested && suspects < Self.chunk {
                suspects += try await take(Array(uids[start..<min(start + Self.chunk, uids.count)]), until: stop)
            }
        }
    }

    /// Returns how many mails have to be asked for again.
    private mutating func take(_ uids: [UInt32], until stop: Shutdown) async throws(IMAPError) -> Int {
        let listing = await connection.list(uids, withArrivals: uids.contains { isChecked($0) })
        if let failure = listing.failure {
            if failure.mayBeTheMails { try await record(uids.map { suspect($0, failure.description) }) }
            throw failure
        }
        // A number of which the server tells nothing is no place to go on from: there may be no such mail.
        let seen = uids.filter { listing.sizes[$0] != nil }
        let suspects = uids.filter { listing.sizes[$0] == nil }.map {
            suspect($0, listing.refused[$0] ?? "the server tells nothing of it")
        }
        let left = seen.compactMap { uid in
            reasonToLeave(uid, listing).map { MailVerdict(uid: uid, fate: .quarantined(reason: $0)) }
        }
        try await record(suspects + left)
        let others = Set(left.map(\.uid))
        let wanted = seen.filter { !others.contains($0) && !isOld($0, listing) }
        let old = seen.count - wanted.count - left.count
        if old > 0 { ports.logger.info("mails older than the mailbox are left alone", ["count": old]) }
        try await take(FetchPlan(wanted, sizes: listing.sizes), until: stop)
        if !stop.isRequested, let last = seen.last { try await advance(past: last) }
        return suspects.count
    }

    /// Why a mail is not fetched at all.
    func reasonToLeave(_ uid: UInt32, _ listing: IMAPConnection.Listing) -> String? {
        if let reason = tooLarge(listing.sizes[uid]) { return reason }
        guard isChecked(uid), listing.arrivals[uid] == nil else { return nil }
        return "The server does not tell when it came, and the mailbox is for new mail alone."
    }

    private func tooLarge(_ size: Int?) -> String? {
        let limit = ports.limits.messageBytes
        guard let size, size > limit else { return nil }
        return "\(size >> 20) MiB; a mail may have \(limit >> 20) MiB."
    }

    /// While one round is fetched, the one before is made durable.
    private mutating func take(_ plan: FetchPlan, until stop: Shutdown) async throws(IMAPError) {
        var fetched: (mails: IMAPConnection.FetchedMails, sets: [[UInt32]])?
        for round in plan.rounds where !stop.isRequested {
            let (connection, blobs) = (connection, ports.blobs)
            async let next = connection.fetch(round, into: blobs)
            if let fetched { try await finish(fetched.mails, of: fetched.sets) }
            fetched = (await next, round)
            if fetched?.mails.failure != nil { break }
        }
        if let fetched { try await finish(fetched.mails, of: fetched.sets) }
    }

    /// Stores what a round brought, then goes on or gives up.
    private mutating func finish(_ fetched: IMAPConnection.FetchedMails, of sets: [[UInt32]]) async throws(IMAPError) {
        var verdicts = try await judge(fetched.mails)
        verdicts += fetched.refused.map { suspect($0.key, $0.value) }
        if let failure = fetched.failure, failure.mayBeTheMails {
            verdicts += fetched.interrupted.map { suspect($0, failure.description) }
        }
        let judged = Set(verdicts.map(\.uid))
        let missing = sets.joined().first { !judged.contains($0) }
        let next = missing ?? (sets.last?.last).map { $0 + 1 } ?? position.nextUID
        try await record(verdicts, nextUID: max(next, position.nextUID))
        if let failure = fetched.failure { throw failure }
    }

    /// A verdict for each mail that came.
    mutating func judge(_ mails: [UInt32: ArrivingMail]) async throws(IMAPError) -> [MailVerdict] {
        if !mails.isEmpty { givesBodies = true }
        let old = mails.filter { isOld($0.key, by: $0.value.header) }
        let others = old.isEmpty ? mails : mails.filter { old[$0.key] == nil }
        let verdicts = try await stored { () throws(StoreError) in try await ports.intake.take(others, in: mailbox) }
        let reason = "It is older than the mailbox, which is for new mail alone."
        return verdicts + old.keys.map { MailVerdict(uid: $0, fate: .quarantined(reason: reason)) }
    }

    private func suspect(_ uid: UInt32, _ reason: String) -> MailVerdict {
        MailVerdict(uid: uid, fate: .failing(attempts: 0, due: ports.surroundings.now(), reason: reason))
    }

    private mutating func advance(past uid: UInt32) async throws(IMAPError) {
        guard uid >= position.nextUID, uid < .max else { return }
        try await record([], nextUID: uid + 1)
    }

    mutating func record(_ verdicts: [MailVerdict], nextUID: UInt32? = nil) async throws(IMAPError) {
        guard !verdicts.isEmpty || nextUID != nil else { return }
        var next = position
        if let nextUID { next.nextUID = nextUID }
        let now = ports.surroundings.now()
        try await stored { [next] () throws(StoreError) in
            try await ports.state.record(verdicts, upTo: next, in: mailbox.id, now: now)
        }
        position = next
        log(verdicts)
    }

    /// A line for each, but one for those that failed together.
    private func log(_ verdicts: [MailVerdict]) {
        var (suspects, words): ([UInt32], String) = ([], "")
        for verdict in verdicts {
            if case .failing(0, _, let reason) = verdict.fate {
                suspects.append(verdict.uid)
                words = reason
            } else {
                log(verdict)
            }
        }
        guard !suspects.isEmpty else { return }
        let uids = String(UIDSet.text(suspects.sorted()).prefix(200))
        ports.logger.warning("mails not read; they are asked for again alone", ["uids": uids, "reason": words])
    }

    private func log(_ verdict: MailVerdict) {
        let uid = Int(verdict.uid)
        switch verdict.fate {
        case .taken(let messages, _):
            for message in messages { ports.logger.info("mail taken", ["uid": uid, "message": message]) }
        case .quarantined(let reason): ports.logger.info("mail left alone", ["uid": uid, "reason": reason])
        case .unreadable(_, let reason):
            ports.logger.error("mail cannot be read, and is let be", ["uid": uid, "reason": reason])
        case .failing(let attempts, _, let reason):
            ports.logger.warning("mail not read", ["uid": uid, "attempts": attempts, "reason": reason])
        case .gone: ports.logger.info("mail gone", ["uid": uid])
        }
    }
}

/// A mailbox for new mail alone, whose folder is read anew.
extension MailboxSession {
    /// Clocks and zones of senders are not always right.
    private static let slack: TimeInterval = 86_400

    /// Whether this mail may be older than the mailbox.
    func isChecked(_ uid: UInt32) -> Bool { position.border.map { uid < $0.belowUID } ?? false }

    /// Whether it came before we did, by the server's own clock.
    func isOld(_ uid: UInt32, _ listing: IMAPConnection.Listing) -> Bool {
        guard isChecked(uid), let border = position.border, let arrival = listing.arrivals[uid] else { return false }
        return Date(timeIntervalSince1970: TimeInterval(arrival)) < border.since
    }

    /// Whether it was written before: a server that got its mails from another may have forgotten when they came.
    private func isOld(_ uid: UInt32, by header: HeaderBlock) -> Bool {
        guard isChecked(uid), let border = position.border,
            let written = header.raw("date").flatMap({ MailDate.seconds(String(decoding: $0, as: UTF8.self)) })
        else { return false }
        return Date(timeIntervalSince1970: TimeInterval(written)) < border.since - Self.slack
    }
}

extension IMAPError {
    /// Whether it may lie in what was asked for, rather than in our own side.
    var mayBeTheMails: Bool {
        switch code {
        case .closed, .timedOut, .broken, .busy: true
        default: false
        }
    }
}
