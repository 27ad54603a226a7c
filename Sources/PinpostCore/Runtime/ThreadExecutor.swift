/// Runs an actor's work on one thread of its own, so that its methods may block.
///
/// The thread ends with the executor; what was handed in is always done.
public final class ThreadExecutor: SerialExecutor {
    /// One piece of work; it keeps the executor alive until it is done.
    private struct Work: Sendable {
        let job: UnownedJob
        let executor: ThreadExecutor
    }

    private let jobs: Mailbox<Work>

    public init() {
        let jobs = Mailbox<Work>()
        self.jobs = jobs
        startThread {
            while let work = jobs.next() {
                work.job.runSynchronously(on: work.executor.asUnownedSerialExecutor())
            }
        }
    }

    deinit { jobs.close() }

    public func enqueue(_ job: consuming ExecutorJob) { jobs.add(Work(job: UnownedJob(job), executor: self)) }
}
