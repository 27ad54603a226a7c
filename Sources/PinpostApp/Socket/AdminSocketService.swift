import CLinux
import Glibc
import PinpostCore

/// The daemon's side of the admin socket: serves the command line of its own user and of root.
struct AdminSocketService: Service {
    let name = "admin socket"

    /// Clients that are served at the same time; further ones wait in the kernel's queue.
    private static let width = 16
    /// How long a client may be silent, in seconds.
    private static let patience = 60
    private static let requestLimit = 1 << 20

    private let path: String
    private let handler: AdminHandler
    private let logger: Logger
    /// Fires when clients can connect.
    private let ready: Signal
    private let pool = BlockingPool(width: AdminSocketService.width)

    init(path: String, handler: AdminHandler, logger: Logger, ready: Signal = Signal()) {
        self.path = path
        self.handler = handler
        self.logger = logger
        self.ready = ready
    }

    func run(until shutdown: Shutdown) async throws {
        let listener = try listen()
        defer { unlink(path) }
        let doorbell = try Doorbell()
        ready.fire()
        let acceptor = BlockingPool(width: 1)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await shutdown.wait()
                doorbell.ring()
            }
            let slots = Slots(Self.width)
            while let client = await acceptor.run({ doorbell.nextClient(of: listener) }) {
                await slots.acquire()
                group.addTask {
                    await serve(client, until: shutdown)
                    slots.release()
                }
            }
        }
    }

    private func listen() throws -> LocalSocket {
        do {
            return try LocalSocket.listen(on: path)
        } catch {
            throw Failure("socket", "The admin socket \(path) cannot be made: \(error.reason).", exit: .notAllowed)
        }
    }

    /// Answers the one request of a connection; a stop of the daemon cuts off what is still being sent to us.
    private func serve(_ client: LocalSocket, until shutdown: Shutdown) async {
        guard let peer = client.peer, peer == geteuid() || peer == 0 else {
            logger.warning("admin client refused", ["uid": client.peer.map { Int($0) } ?? -1])
            return
        }
        client.limit(seconds: Self.patience)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await answer(client) }
            group.addTask {
                await shutdown.wait()
                if shutdown.isRequested { client.stopReading() }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func answer(_ client: LocalSocket) async {
        do {
            let frame = try await pool.run { () throws(SystemFailure) in
                try client.readFrame(limit: Self.requestLimit)
            }
            // The command line only looked whether somebody is here.
            guard let frame else { return }
            let answer = await handler.answer(to: frame, body: SocketBody(socket: client, pool: pool))
            try await pool.run { () throws(SystemFailure) in try client.writeFrame(answer) }
        } catch {
            logger.debug("admin client lost", ["reason": error.reason])
        }
    }
}
