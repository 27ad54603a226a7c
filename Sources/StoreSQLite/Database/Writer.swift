internal import PinpostCore

/// The one thread that writes: everything that waits goes into one commit, and one fsync serves all its callers.
///
/// An operation that fails is undone alone; a commit that fails, fails for all who are in it.
final class Writer: Sendable {
    typealias AfterCommit = @Sendable (Transaction.Effects) -> Void

    private let mailbox = Mailbox<any WriteJob>()
    private let end = Shutdown()

    private init() {}

    deinit { mailbox.close() }

    /// Starts the thread, opens its connection and lets `prepare` make it ready; `afterCommit` follows each commit.
    static func start(
        path: String, prepare: @escaping @Sendable (Connection) throws(StoreError) -> Void,
        afterCommit: @escaping AfterCommit
    ) async throws(StoreError) -> Writer {
        let writer = Writer()
        let (mailbox, end) = (writer.mailbox, writer.end)
        let failure: StoreError? = await withCheckedContinuation { continuation in
            startThread {
                do throws(StoreError) {
                    let connection = try Connection(path: path, mode: .writer)
                    try prepare(connection)
                    continuation.resume(returning: nil)
                    serve(mailbox, on: connection, afterCommit)
                } catch {
                    continuation.resume(returning: error)
                }
                end.request()
            }
        }
        if let failure { throw failure }
        return writer
    }

    /// Runs `body` inside a commit and returns once that is on disk.
    ///
    /// A body that changes the database by one statement alone, its last that can fail, needs no savepoint: SQLite
    /// undoes a failed statement by itself.
    func write<Result: Sendable>(
        withSavepoint: Bool = true,
        _ body: @escaping @Sendable (inout Transaction) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        let result: Swift.Result<Result, StoreError> = await withCheckedContinuation { continuation in
            let operation = WriteOperation(body, withSavepoint: withSavepoint, continuation)
            if !mailbox.add(operation) { operation.finish(commit: StoreError(.unavailable, "the store is closed")) }
        }
        return try result.get()
    }

    /// Takes nothing more, finishes what waits, and returns when the connection is closed.
    func stop() async {
        mailbox.close()
        await end.wait()
    }

    private static func serve(
        _ mailbox: Mailbox<any WriteJob>, on connection: Connection, _ afterCommit: AfterCommit
    ) {
        while let first = mailbox.next() {
            var commit = GroupCommit(on: connection)
            commit.run(first, then: mailbox)
            commit.end(afterCommit)
        }
    }
}

/// What waits for the writer.
protocol WriteJob: AnyObject, Sendable {
    /// Works inside the open transaction; a failure undoes this job alone and is kept for `finish`.
    func run(on connection: Connection) -> Swift.Result<Transaction.Effects, StoreError>
    /// Lets the caller go on, with the commit's error if it failed.
    func finish(commit failure: StoreError?)
}

/// One caller's work and its result.
///
/// `@unchecked Sendable` is safe: `result` is touched by the writer's thread alone, after the mailbox handed it over.
final class WriteOperation<Result: Sendable>: WriteJob, @unchecked Sendable {
    typealias Body = @Sendable (inout Transaction) throws(StoreError) -> Result

    private let body: Body
    private let hasSavepoint: Bool
    private let continuation: CheckedContinuation<Swift.Result<Result, StoreError>, Never>
    private var result: Swift.Result<Result, StoreError>?

    init(
        _ body: @escaping Body, withSavepoint: Bool,
        _ continuation: CheckedContinuation<Swift.Result<Result, StoreError>, Never>
    ) {
        self.body = body
        hasSavepoint = withSavepoint
        self.continuation = continuation
    }

    func run(on connection: Connection) -> Swift.Result<Transaction.Effects, StoreError> {
        do throws(StoreError) {
            if hasSavepoint { try connection.run("SAVEPOINT job") }
            var transaction = Transaction(connection)
            let value = try body(&transaction)
            if hasSavepoint { try connection.run("RELEASE job") }
            result = .success(value)
            return .success(transaction.effects)
        } catch {
            if hasSavepoint, connection.isInTransaction { try? connection.execute("ROLLBACK TO job; RELEASE job") }
            result = .failure(error)
            return .failure(error)
        }
    }

    func finish(commit failure: StoreError?) {
        let ending = result ?? .failure(failure ?? StoreError(.unavailable))
        if let failure, case .success = ending {
            continuation.resume(returning: .failure(failure))
        } else {
            continuation.resume(returning: ending)
        }
    }
}
