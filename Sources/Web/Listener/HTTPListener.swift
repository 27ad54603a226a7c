internal import CMicrohttpd
internal import Glibc
public import PinpostCore

/// The HTTP/1.1 server: listens from `init` on, and ends with `run`.
///
/// libmicrohttpd moves the bytes on a thread of its own; nothing else in Pinpost knows it.
public final class HTTPListener: Service {
    public let name = "http"
    /// The port that was bound; of interest when 0 was asked for.
    public let port: UInt16
    private let core: ListenerCore
    private let socket: CInt
    private let daemon: Daemon

    /// The library's handle; it may be used from any thread until it is stopped.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    public init(
        on address: ListenAddress, handler: any RequestHandler, blobs: any BlobStore, pool: BlockingPool,
        limits: ListenerLimits = ListenerLimits()
    ) throws(ListenError) {
        let core = ListenerCore(
            handler: handler, blobs: blobs, pool: pool, limits: limits.fittingOpenFiles())
        socket = try address.listen()
        port = ListenAddress.boundPort(of: socket)
        self.core = core
        guard let daemon = core.startDaemon(on: socket) else {
            close(socket)
            throw ListenError(address, "the HTTP library does not start")
        }
        self.daemon = Daemon(pointer: daemon)
    }

    /// Connections that are open now.
    public var connectionCount: Int { core.table.count }

    /// Requests that are under way, from the request line to the end of the answer.
    public var requestCount: Int { core.openExchanges }

    /// Enforces the deadlines until the stop is asked for; then finishes what is under way and closes everything.
    public func run(until shutdown: Shutdown) async {
        core.follow(shutdown)
        while !shutdown.isRequested, !Task.isCancelled {
            core.table.sweep(at: .now)
            await shutdown.wait(upTo: core.limits.sweepInterval)
        }
        _ = MHD_quiesce_daemon(daemon.pointer)
        close(socket)
        core.drain()
        // With a request that never ends the library cannot be stopped: it ends with the process.
        if await finishExchanges() { stop() }
    }

    /// Waits for the requests under way; false when they do not end even though they were cancelled.
    private func finishExchanges() async -> Bool {
        var patience = Self.patience
        while !core.closeIfQuiet() {
            core.table.sweep(at: .now)
            // The grace of the service group is over: the steps are asked to give up.
            if Task.isCancelled {
                core.cancelExchanges()
                patience -= 1
                if patience == 0 { return false }
            }
            await Self.pause()
            core.table.cutIdle()
        }
        return true
    }

    /// Pauses after the cancellation, 5 s together.
    private static let patience = 250

    /// A fiftieth of a second, also in a cancelled task.
    private static func pause() async {
        await Task.detached { try? await Task.sleep(for: .milliseconds(20)) }.value
    }

    private func stop() { MHD_stop_daemon(daemon.pointer) }
}

extension ListenerLimits {
    /// Leaves 48 descriptors for the store, the spool and the decoders.
    fileprivate func fittingOpenFiles() -> ListenerLimits {
        var files = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return self }
        var limits = self
        limits.connections = min(connections, max(Int(clamping: files.rlim_cur) - 48, 16))
        return limits
    }
}
