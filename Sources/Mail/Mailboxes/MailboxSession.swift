internal import FoundationEssentials
internal import PinpostCore

/// One connection to a watched mailbox: reads what is new, does what happens afterwards, waits for more.
struct MailboxSession {
    let mailbox: WatchedMailbox
    let ports: MailboxPorts
    let connection: IMAPConnection
    /// One mail at a time, since the last connection broke while it fetched.
    let isCareful: Bool
    var folder = IMAPConnection.Folder()
    var position = MailboxPosition(uidValidity: 0, nextUID: 1)
    /// A command for several mails was refused.
    var wasRefusedTogether = false
    /// The server says that it can, but cannot.
    private var idleIsBroken = false
    private var lastNoted: ContinuousClock.Instant?

    /// Nothing needs to be written down more often.
    private static let noteInterval: Duration = .seconds(30)
    static let mostQuarantined = 1_000
    private static let memory: TimeInterval = 30 * 86_400

    init(_ mailbox: WatchedMailbox, ports: MailboxPorts, connection: IMAPConnection, isCareful: Bool) {
        self.mailbox = mailbox
        self.ports = ports
        self.connection = connection
        self.isCareful = isCareful
    }

    /// Runs until the stop is asked for.
    ///
    /// Throws what ended the connection. `succeeded` is called after each look.
    mutating func run(
        until stop: Shutdown, waking: MailboxWaking, succeeded: () -> Void
    ) async throws(IMAPError) {
        while !stop.isRequested {
            try await openFolder()
            try await retryFailing()
            let poll = ContinuousClock.now + ports.timings.fullPoll
            while !stop.isRequested {
                let generations = waking.generations
                try await takeNewMail(until: stop)
                try await doAfterwards()
                try await noteSuccess()
                succeeded()
                guard ContinuousClock.now < poll, !stop.isRequested else { break }
                let waits = try await stored { () throws(StoreError) in
                    try await ports.state.hasUnfinished(in: mailbox.id)
                }
                let connection = connection
                // Cancelled, and waited for, at the end of this turn.
                async let _: Void = waking.ring(connection, after: generations, finished: waits, until: stop)
                try await waitForNews(until: poll)
            }
        }
    }

    /// One look at everything, without waiting for more.
    mutating func runOnce() async throws(IMAPError) {
        try await openFolder()
        try await retryFailing()
        try await takeNewMail(until: Shutdown())
        try await doAfterwards()
        try await noteSuccess()
    }

    /// Opens the folder and finds our place in it; under another UIDVALIDITY everything is read again, and what is
    /// known is recognised by its content.
    private mutating func openFolder() async throws(IMAPError) {
        let settings = mailbox.settings
        let isReadOnly = settings.afterwards == .leave && settings.failureFolder == nil
        folder = try await connection.select(settings.folder, readOnly: isReadOnly)
        let validity = folder.uidValidity ?? 0
        let known = try await stored { () throws(StoreError) in try await ports.state.position(of: mailbox.id) }
        if let known, known.uidValidity == validity {
            position = known
        } else {
            let isFirst = known == nil
            let start = isFirst && settings.newOnly ? folder.uidNext ?? 1 : 1
            position = MailboxPosition(uidValidity: validity, nextUID: start)
            try await stored { [position] () throws(StoreError) in
                try await ports.state.begin(position, in: mailbox.id)
            }
            if !isFirst { ports.logger.warning("the folder was made anew; everything in it is read again") }
        }
        let oldest = ports.surroundings.now() - Self.memory
        try await stored { () throws(StoreError) in
            try await ports.state.expire(in: mailbox.id, before: oldest, keeping: Self.mostQuarantined)
        }
    }

    private mutating func waitForNews(until poll: ContinuousClock.Instant) async throws(IMAPError) {
        let timings = ports.timings
        if await connection.canIdle, !idleIsBroken {
            do throws(IMAPError) {
                return try await connection.idle(until: min(poll, .now + timings.idleRefresh))
            } catch {
                guard error.code == .refused else { throw error }
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
