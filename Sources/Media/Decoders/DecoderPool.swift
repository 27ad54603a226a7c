public import DecoderProtocol
import Glibc
public import PinpostCore
import Synchronization

/// Runs jobs in decoder processes: one process a job, some started ahead, a bounded number at work.
///
/// As a service it keeps spare processes until the shutdown; without that it starts each one when it is needed.
public final class DecoderPool: Service {
    public let name = "decoders"
    private let executables: DecoderExecutables
    private let configuration: Configuration
    private let threads: BlockingPool
    private let stock = Mutex(Stock())

    public struct Configuration: Sendable, Hashable {
        /// How many processes work at the same time.
        public var concurrency = 2
        /// How many processes of each role wait for a job.
        public var spares: [Role: Int] = [.fast: 2, .heif: 1, .card: 1]
        /// How long a job may take once its process has it.
        public var jobLimit: Duration = .seconds(60)

        public init() {}
    }

    private struct Stock {
        var isOpen = false
        var waiting: [Role: [DecoderProcess]] = [:]
    }

    /// How many processes wait for a job.
    var spareCount: Int { stock.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

    public init(_ executables: DecoderExecutables, _ configuration: Configuration = Configuration()) {
        self.executables = executables
        self.configuration = configuration
        threads = BlockingPool(width: configuration.concurrency)
        // A decoder that died must be an error of `write`, not a signal to us.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Keeps spare processes until the shutdown.
    /// - Throws: `.unavailable` when a process cannot be started or cannot close its sandbox on this machine.
    public func run(until shutdown: Shutdown) async throws {
        stock.withLock { $0.isOpen = true }
        try await threads.run { () throws(MediaError) in try self.fillStock() }
        await shutdown.wait()
        let left = stock.withLock { stock in
            stock.isOpen = false
            defer { stock.waiting = [:] }
            return stock.waiting
        }
        // Dropping a process kills and reaps it, which may block.
        await threads.run { withExtendedLifetime(left) {} }
    }

    /// Does one job on a picture; waits for its turn.
    ///
    /// Cancelling the task kills the process.
    /// - Throws: `.unavailable` when no process could be started, `.decoderFailed` when it died or took too long, and
    ///   what the decoder says about the picture.
    public func perform(
        _ job: Job, on picture: ArraySlice<UInt8> = []
    ) async throws(MediaError) -> (output: Output, bytes: [UInt8]) {
        let (output, file) = try await perform(job, on: PictureSource(picture))
        let bytes = await threads.run { file.contents(0..<output.byteCount) }
        guard let bytes else { throw .brokenPromise }
        return (output, bytes)
    }

    /// Does one job on a picture and returns the file that the decoder wrote; nobody can change it any more.
    func perform(
        _ job: Job, on picture: PictureSource
    ) async throws(MediaError) -> (output: Output, file: OwnedDescriptor) {
        guard case .picture(let output, let file) = try await work(job, on: picture) else { throw .wrongProduct }
        return (output, file)
    }

    /// Lists the elements of a page in UTF-8, encoded as `OutlineElement` does; waits for its turn.
    /// - Throws: as `perform`.
    func outline(of page: ArraySlice<UInt8>) async throws(MediaError) -> [UInt8] {
        guard case .outline(let file, let count) = try await work(.outlinePage, on: PictureSource(page)) else {
            throw .wrongProduct
        }
        let list = await threads.run { file.contents(0..<count) }
        guard let list else { throw .brokenPromise }
        return list
    }

    private func work(_ job: Job, on source: PictureSource) async throws(MediaError) -> DecoderProcess.Product {
        let ticket = Ticket()
        let result: Result<DecoderProcess.Product, MediaError> = await withTaskCancellationHandler {
            await threads.run {
                Result { () throws(MediaError) in try self.perform(job, on: source, with: ticket) }
            }
        } onCancel: {
            ticket.cancel()
        }
        guard !ticket.isCancelled else { throw MediaError(.unavailable, "The conversion was stopped.") }
        return try result.get()
    }

    private func perform(
        _ job: Job, on source: PictureSource, with ticket: Ticket
    ) throws(MediaError) -> DecoderProcess.Product {
        do {
            return try ticket.admit(take(job.role)).perform(job, on: source, within: configuration.jobLimit)
        } catch  where error.isTransient && !ticket.isCancelled {
            // A spare may have died while it waited; it has not seen the input, so a fresh one may.
            return try ticket.admit(start(job.role)).perform(job, on: source, within: configuration.jobLimit)
        }
    }

    /// Takes a spare process and starts the next one, which warms up while this one works.
    private func take(_ role: Role) throws(MediaError) -> DecoderProcess {
        let (spare, isShort) = stock.withLock { stock in
            let spare = stock.waiting[role]?.popLast()
            let left = stock.waiting[role]?.count ?? 0
            return (spare, stock.isOpen && left < configuration.spares[role, default: 0])
        }
        if isShort, let next = try? start(role) { keep(next, for: role) }
        if let spare { return spare }
        return try start(role)
    }

    private func start(_ role: Role) throws(MediaError) -> DecoderProcess {
        try DecoderProcess(executables.path(for: role), role: role)
    }

    private func keep(_ process: DecoderProcess, for role: Role) {
        stock.withLock { stock in
            if stock.isOpen { stock.waiting[role, default: []].insert(process, at: 0) }
        }
    }

    private func fillStock() throws(MediaError) {
        for role in Role.allCases {
            for _ in 0..<configuration.spares[role, default: 0] {
                let process = try start(role)
                try process.awaitReady()
                keep(process, for: role)
            }
        }
    }
}

/// Lets a cancelled task reach the process that works for it.
private final class Ticket: Sendable {
    private struct State {
        var isCancelled = false
        var process: DecoderProcess?
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func admit(_ process: DecoderProcess) -> DecoderProcess {
        let isCancelled = state.withLock { state in
            state.process = process
            return state.isCancelled
        }
        if isCancelled { process.interrupt() }
        return process
    }

    func cancel() {
        let process = state.withLock { state in
            state.isCancelled = true
            return state.process
        }
        process?.interrupt()
    }
}
