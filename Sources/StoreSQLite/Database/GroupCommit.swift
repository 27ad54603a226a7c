internal import PinpostCore

/// One transaction with the work of everybody who was waiting.
struct GroupCommit {
    /// What one commit takes at most: operations, and the time in which more are taken.
    private static let jobLimit = 256
    private static let timeLimit = Duration.milliseconds(2)

    private let connection: Connection
    private var jobs: [any WriteJob] = []
    private var effects = Transaction.Effects()
    private var failure: StoreError?

    init(on connection: Connection) { self.connection = connection }

    /// Runs `first` and whatever waits behind it, until the limits are reached.
    mutating func run(_ first: any WriteJob, then mailbox: Mailbox<any WriteJob>) {
        jobs.append(first)
        do throws(StoreError) {
            try connection.run("BEGIN IMMEDIATE")
            try perform(first)
            let start = ContinuousClock.now
            while jobs.count < Self.jobLimit, ContinuousClock.now - start < Self.timeLimit,
                let job = mailbox.nextWaiting()
            {
                jobs.append(job)
                try perform(job)
            }
        } catch {
            failure = error
        }
    }

    private mutating func perform(_ job: any WriteJob) throws(StoreError) {
        switch job.run(on: connection) {
        case .success(let effects): self.effects.merge(effects)
        case .failure(let error):
            // After some errors (a full disk) SQLite has rolled back everything: then nobody's work is there.
            if !connection.isInTransaction { throw error }
        }
    }

    /// Commits, and lets the callers go on.
    mutating func end(_ afterCommit: (Transaction.Effects) -> Void) {
        if failure == nil {
            do throws(StoreError) { try connection.run("COMMIT") } catch { failure = error }
        }
        if failure == nil {
            afterCommit(effects)
        } else if connection.isInTransaction {
            try? connection.execute("ROLLBACK")
        }
        for job in jobs { job.finish(commit: failure) }
    }
}
