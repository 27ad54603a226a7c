internal import FoundationEssentials
internal import PinpostCore

/// Mails that did not come when they were asked for among others.
extension MailboxSession {
    /// Tries that count, after which a mail is let be.
    private static let tries = 2
    /// A mail that makes trouble for so long is let be, also where nothing proves that it is the mail's own fault.
    private static let patience: TimeInterval = 86_400
    /// Between two tries, at most.
    private static let longestPause: TimeInterval = 86_400
    /// Mails of which one shows whether the server gives any.
    private static let witnesses = 20

    /// Asks for those that are due, or for all, each alone, so that only one that is at fault fails.
    mutating func askAgain(all: Bool, until stop: Shutdown) async throws(IMAPError) {
        let due = all ? nil : ports.surroundings.now()
        let failing = try await stored { () throws(StoreError) in
            try await ports.state.failing(in: mailbox.id, dueBy: due, upTo: Self.chunk)
        }
        guard !failing.isEmpty else { return }
        let present = Set(try await connection.search(UIDSet.text(failing.map(\.uid).sorted())))
        try await learnWhetherBodiesCome()
        for mail in failing where !stop.isRequested {
            if present.contains(mail.uid) {
                try await ask(for: mail)
            } else {
                try await record([MailVerdict(uid: mail.uid, fate: .gone)])
            }
        }
    }

    /// Asks for the beginning of a mail that came before: where not even that comes, no other mail is to blame.
    private mutating func learnWhetherBodiesCome() async throws(IMAPError) {
        guard givesBodies == nil else { return }
        let given = try await stored { () throws(StoreError) in
            try await ports.state.given(in: mailbox.id, newest: Self.witnesses)
        }
        guard !given.isEmpty else { return }
        // Any of them: one may have become bad meanwhile.
        guard let witness = try await connection.search(UIDSet.text(given.sorted())).randomElement() else { return }
        do throws(IMAPError) {
            givesBodies = try await connection.givesBody(of: witness)
        } catch {
            guard error.code == .refused else { throw error }
            givesBodies = false
        }
    }

    private mutating func ask(for mail: FailingMail) async throws(IMAPError) {
        let uid = mail.uid
        let listing = await connection.list([uid], withArrivals: isChecked(uid))
        if let words = listing.refused[uid] { return try await record([refused(mail, words)]) }
        if let failure = listing.failure { return try await fail(mail, by: failure) }
        if isOld(uid, listing) { return try await record([MailVerdict(uid: uid, fate: .gone)]) }
        if let reason = reasonToLeave(uid, listing) {
            return try await record([MailVerdict(uid: uid, fate: .quarantined(reason: reason))])
        }
        let fetched = await connection.fetch([[uid]], into: ports.blobs)
        guard fetched.mails[uid] != nil else {
            if let failure = fetched.failure { return try await fail(mail, by: failure) }
            return try await record([refused(mail, fetched.refused[uid] ?? "the server sent no body")])
        }
        // All mails before it have a verdict: they failed together with it.
        try await record(try await judge(fetched.mails), nextUID: max(position.nextUID, uid + 1))
        if let failure = fetched.failure { throw failure }
    }

    /// A refusal counts, unless no mail comes at all.
    private func refused(_ mail: FailingMail, _ words: String) -> MailVerdict {
        verdict(on: mail, words, counts: givesBodies != false, mayEnd: true)
    }

    /// Writes down that the connection ended, or the server was busy, at this mail, and throws it.
    ///
    /// Lines break for other reasons too: that counts only where the same connection has brought another mail. A busy
    /// server never does.
    private mutating func fail(_ mail: FailingMail, by failure: IMAPError) async throws(IMAPError) {
        if failure.mayBeTheMails {
            let isBusy = failure.code == .busy
            let isProven = givesBodies == true || failure.code == .broken && givesBodies == nil
            try await record([verdict(on: mail, failure.description, counts: !isBusy && isProven, mayEnd: !isBusy)])
        }
        throw failure
    }

    /// A try that a person asked for before its time changes nothing.
    private func verdict(on mail: FailingMail, _ reason: String, counts: Bool, mayEnd: Bool) -> MailVerdict {
        let now = ports.surroundings.now()
        let isDue = mail.due <= now
        let attempts = mail.attempts + (isDue && counts ? 1 : 0)
        let age = now.timeIntervalSince(mail.since)
        if attempts >= Self.tries || isDue && mayEnd && age > Self.patience {
            let tries = max(attempts, Self.tries)
            let reason = "Not readable in \(tries) tries: \(reason)"
            return MailVerdict(uid: mail.uid, fate: .unreadable(attempts: tries, reason: reason))
        }
        let least = mayEnd ? ports.timings.secondTry : ports.timings.busyPause
        let pause = max(least.timeInterval, min(age / 2, Self.longestPause))
        let due = isDue ? now + pause : mail.due
        return MailVerdict(uid: mail.uid, fate: .failing(attempts: attempts, due: due, reason: reason))
    }
}
