import CLinux
import DecoderProtocol
import Glibc
import PinpostCore
import Synchronization

/// One decoder process from its start to its grave; it serves one job.
///
/// Whoever drops it kills it. All calls block; `interrupt` may come from any thread.
final class DecoderProcess: Sendable {
    private let channel: FrameChannel
    private let control: OwnedDescriptor
    private let input: OwnedDescriptor
    private let output: OwnedDescriptor
    /// nil once the process is reaped: its number may belong to somebody else then.
    private let pid: Mutex<pid_t?>
    private let isReady = Mutex(false)

    /// A busy machine may start it slowly; no picture is to blame for that.
    private static let startLimit: Duration = .seconds(30)

    /// Starts a process that warms up and closes its sandbox while nobody waits.
    /// - Throws: `.unavailable` with the path and the reason.
    init(_ path: String, role: Role) throws(MediaError) {
        let (control, theirs) = try OwnedDescriptor.pair()
        (self.control, channel) = (control, FrameChannel(descriptor: control.number))
        (input, output) = (try .memoryFile(), try .memoryFile())
        let child = try Self.spawn(path, role, [theirs, input, output])
        pid = Mutex(child)
    }

    deinit { end() }

    /// Hands the job over and waits for what comes of it, at most for `limit` from there on.
    ///
    /// - Throws: `.unavailable` before the job was handed over, `.decoderFailed` when the process dies or takes too
    ///   long, and what the decoder itself says about the picture.
    func perform(
        _ job: Job, on source: PictureSource, within limit: Duration
    ) throws(MediaError) -> Product {
        defer { end() }
        try awaitReady()
        try source.copy(to: input)
        do { try channel.send(job) } catch { throw .notStarted(error) }
        let reply: Reply
        do { reply = try channel.receiveReply(before: .now.advanced(by: limit)) } catch {
            throw .decoder(error, status: end())
        }
        switch reply {
        case .ready: throw .decoder(.malformed, status: end())
        case .failed(let failure): throw MediaError(failure)
        case .finished(let result):
            // Only a dead process can no longer change what is read of its output.
            end()
            return .picture(result, output)
        case .outlined(let byteCount):
            guard byteCount <= OutlineElement.Limit.total else { throw .decoder(.malformed, status: end()) }
            end()
            return .outline(output, byteCount: byteCount)
        }
    }

    /// Kills the process; a thread that waits for it then hears that it is gone.
    func interrupt() {
        pid.withLock { pid in if let pid { kill(pid, SIGKILL) } }
    }

    /// Waits until the process has closed its sandbox.
    /// - Throws: `.unavailable` when it cannot, or dies, or takes too long.
    func awaitReady() throws(MediaError) {
        guard !isReady.withLock({ $0 }) else { return }
        let reply: Reply
        do {
            reply = try channel.receiveReply(before: .now.advanced(by: Self.startLimit))
        } catch {
            throw .notStarted(error)
        }
        switch reply {
        case .ready: isReady.withLock { $0 = true }
        case .failed(let failure): throw MediaError(failure)
        case .finished, .outlined: throw .notStarted(.malformed)
        }
    }

    /// Kills and reaps.
    /// - Returns: the wait status, nil when it was reaped before.
    @discardableResult
    private func end() -> CInt? {
        pid.withLock { pid in
            guard let number = pid else { return nil }
            pid = nil
            // A process that has just answered or crashed is dying by itself; SIGKILL does not change its status then.
            kill(number, SIGKILL)
            var status: CInt = 0
            while waitpid(number, &status, 0) < 0, errno == EINTR {}
            return status
        }
    }

    /// What a process leaves behind, in a file that nobody can change any more.
    enum Product: Sendable {
        case picture(Output, OwnedDescriptor)
        /// An encoded list of `OutlineElement`.
        case outline(OwnedDescriptor, byteCount: Int)
    }

    private static func spawn(_ path: String, _ role: Role, _ descriptors: [OwnedDescriptor]) throws(MediaError)
        -> pid_t
    {
        // Numbers above those of the child, so that no dup2 overwrites the source of the next one.
        let sources = try descriptors.map { (original) throws(MediaError) in
            try original.copy(from: Descriptors.firstUnused)
        }
        // Swift may end a life after the last use, and a number is no use.
        defer { withExtendedLifetime(sources) {} }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for standard in CInt(0)...2 { posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0) }
        for (offset, source) in sources.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, source.number, Descriptors.control + CInt(offset))
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, Descriptors.firstUnused)
        var attributes = SpawnAttributes()
        defer { attributes.destroy() }
        var child: pid_t = 0
        let status = withArguments([path, role.rawValue]) { arguments in
            posix_spawn(&child, path, &actions, &attributes.value, arguments, [nil])
        }
        guard status == 0 else {
            throw MediaError(.unavailable, "The picture decoder \(path) cannot be started: errno \(status).")
        }
        return child
    }

    private static func withArguments<Result>(
        _ arguments: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = arguments.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// A child begins with no blocked and no ignored signals, in a group of its own: Ctrl-C is for the daemon.
private struct SpawnAttributes {
    var value = posix_spawnattr_t()

    init() {
        posix_spawnattr_init(&value)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&value, &none)
        posix_spawnattr_setsigdefault(&value, &all)
        posix_spawnattr_setpgroup(&value, 0)
        posix_spawnattr_setflags(
            &value, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    }

    mutating func destroy() { posix_spawnattr_destroy(&value) }
}
