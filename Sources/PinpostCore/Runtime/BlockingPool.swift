import Glibc
import Synchronization

/// Threads of our own for calls that block (fsync, decoder pipes): Swift's pool has only one thread per core.
///
/// The threads live as long as the pool; work that was handed in is always done.
public final class BlockingPool: Sendable {
    private let mailbox: Mailbox<() -> Void>

    /// Starts `width` threads: that many calls may block at once, the others wait in order.
    public init(width: Int) {
        let mailbox = Mailbox<() -> Void>()
        self.mailbox = mailbox
        for _ in 0..<max(width, 1) {
            startThread {
                while let work = mailbox.next() { work() }
            }
        }
    }

    deinit { mailbox.close() }

    /// Runs `body` on a thread of the pool and returns its result; cancellation does not interrupt it.
    public func run<Result: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
            mailbox.add { continuation.resume(returning: Swift.Result(catching: body)) }
        }
        return try result.get()
    }
}

/// Starts a detached thread with the 8 MiB stack that Swift's own threads have.
public func startThread(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 8 << 20)
    let start = ThreadStart(body)
    var thread = pthread_t()
    let status = pthread_create(&thread, &attributes, { runThread($0) }, Unmanaged.passRetained(start).toOpaque())
    // Without threads nothing works; the process cannot go on honestly.
    precondition(status == 0, "no thread could be started: error \(status)")
}

private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    start.body()
    return nil
}
