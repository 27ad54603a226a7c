public import PinpostCore
internal import Synchronization

/// Takes mail from a mail server by LMTP (RFC 2033): what it has answered with 250 is on disk.
public final class LMTPService: Service {
    public let name = "lmtp"

    private let listener: LMTPListener
    private let intake: MailIntake
    private let limits: LMTPLimits
    private let logger: Logger
    private let clients = Atomic(0)

    public init(on listener: LMTPListener, intake: MailIntake, limits: LMTPLimits = LMTPLimits(), logger: Logger) {
        self.listener = listener
        self.intake = intake
        self.limits = limits
        self.logger = logger
    }

    /// Serves until the stop is asked for; then clients are told to come again later.
    public func run(until shutdown: Shutdown) async throws {
        let acceptor = BlockingPool(width: 1)
        await withDiscardingTaskGroup { group in
            group.addTask { [listener] in
                await shutdown.wait()
                listener.stop()
            }
            while let client = await acceptor.run({ [listener] in listener.accept() }) {
                guard clients.add(1, ordering: .relaxed).newValue <= limits.connections else {
                    _ = client.send(LMTPReply.busy.bytes, until: .now + .milliseconds(100))
                    clients.subtract(1, ordering: .relaxed)
                    continue
                }
                group.addTask {
                    await self.serve(client, until: shutdown)
                    self.clients.subtract(1, ordering: .relaxed)
                }
            }
        }
    }

    private func serve(_ client: LMTPSocket, until shutdown: Shutdown) async {
        let connection = LMTPConnection(client, intake: intake, limits: limits, logger: logger, shutdown: shutdown)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await connection.run() }
            group.addTask {
                await shutdown.wait()
                if shutdown.isRequested { client.stopReading() }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
