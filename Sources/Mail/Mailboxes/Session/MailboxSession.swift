internal import FoundationEssentials
internal import PinpostCore

/// One connection to a watched mailbox: reads what is new, does what happens afterwards, waits for more.
struct MailboxSession {
    let mailbox: WatchedMailbox
    let ports: MailboxPorts
    let connection: IMAPConnection
    var folder = IMAPConnection.Folder()
    var position = MailboxPosition(uidValidity: 0, nextUID: 1)
    /// Whether this server gives bodies now; nil while nobody knows.
    var givesBodies: Bool?
    /// The server says that it can, but cannot.
    private var idleIsBroken = false
    private var lastNoted: ContinuousClock.Instant?

    /// Nothing needs to be written down more often.
    private static let noteInterval: Duration = .seconds(30)

    init(_ mailbox: WatchedMailbox, ports: MailboxPorts, connection: IMAPConnection) {
        self.mailbox = mailbox
        self.ports = ports
        self.connection = connection
    }

    /// Runs until the stop is asked for.
    ///
    /// Throws what ended the connection. `succeeded` is called whenever all new mail has been read: whatever makes
    /// trouble comes after it, so that it holds up nothing else.
    mutating func run(
        until stop: Shutdown, waking: MailboxWaking, succeeded: () -> Void
    ) async throws(IMAPError) {
        let timings = ports.timings
        var pace = LookPace(atOnce: timings.looksAtOnce, pause: timings.lookPause, now: .now)
        var seen = waking.generations
        while !stop.isRequested {
            try await openFolder()
            let poll = ContinuousClock.now + timings.fullPoll
            while !stop.isRequested {
                let delay = pace.delay(at: .now)
                if delay > .zero {
                    await waking.wait(after: seen, finished: false, upTo: delay, until: stop)
                }
                let generations = waking.generations
                let isAsked = generations.bell != seen.bell
                seen = generations
                // The folder may be another one by now; a person wants to know.
                if isAsked { try await openFolder() }
                try await takeNewMail(until: stop)
                try await noteSuccess()
                succeeded()
                try await doAfterwards()
                try await askAgain(all: isAsked, until: stop)
                guard ContinuousClock.now < poll, !stop.isRequested else { break }
                try await rest(after: seen, upTo: poll, waking: waking, until: stop)
            }
        }
    }

    /// One look at everything, without waiting for more.
    mutating func runOnce() async throws(IMAPError) {
        let stop = Shutdown()
        try await openFolder()
        try await takeNewMail(until: stop)
        try await noteSuccess()
        try await doAfterwards()
        try await askAgain(all: true, until: stop)
    }

    /// Waits until there may be something to do.
    private mutating func rest(
        after generations: MailboxWaking.Generations, upTo poll: ContinuousClock.Instant, waking: MailboxWaking,
        until stop: Shutdown
    ) async throws(IMAPError) {
        let waits = try await stored { () throws(StoreError) in try await ports.state.hasUnfinished(in: mailbox.id) }
        let connection = connection
        // Cancelled, and waited for, at the end of this turn.
        async let _: Void = waking.ring(connection, after: generations, finished: waits, until: stop)
        try await waitForNews(until: poll)
    }

    private mutating func waitForNews(until poll: ContinuousClock.Instant) async throws(IMAPError) {
        let timings = ports.timings
        if await connection.canIdle, !idleIsBroken {
            let start = ContinuousClock.now
            do throws(IMAPError) {
                return try await connection.idle(until: min(poll, start + timings.idleRefresh))
            } catch {
                guard error.code == .refused || error.code == .busy else { throw error }
                // One that lasts is better than questions.
                if ContinuousClock.now - start > timings.settled { return }
                ports.logger.warning("the server refuses IDLE; it is asked instead", ["reason": error.detail])
                idleIsBroken = true
            }
        }
        try await connection.rest(until: min(poll, .now + timings.noopInterval))
        try await connection.ask()
    }

    private mutating func noteSuccess() async throws(IMAPError) {
        if let lastNoted, ContinuousClock.now - lastNoted < Self.noteInterval { return }
        let now = ports.surroundings.now()
        try await stored { () throws(StoreError) in try await ports.state.noteSuccess(of: mailbox.id, now: now) }
        lastNoted = .now
    }

    /// Calls of the store, with their errors in the form of this part.
    func stored<Result>(
        _ body: () async throws(StoreError) -> Result
    ) async throws(IMAPError) -> Result {
        do throws(StoreError) { return try await body() } catch { throw IMAPError(error) }
    }
}
