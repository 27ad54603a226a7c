import Glibc
import PinpostCore

extension Command {
    static let serve = Command(
        "serve", "receive, convert and deliver until SIGTERM",
        notes: """
            Listens on PINPOST_LISTEN and on the admin socket in the data folder. The log goes to standard error,
            as text on a terminal and as JSON lines elsewhere (PINPOST_LOG).
            """
    ) { _, context in
        Heaps.share()
        let configuration = try context.configuration()
        let composition = try await Composition.open(configuration, logger: Logger(configuration.log))
        StartPages.giveBack()
        let shutdown = Shutdown()
        let signals = Signals(shutdown)
        do {
            try await Daemon(composition: composition).run(until: shutdown)
            await composition.close()
        } catch {
            await composition.close()
            throw error
        }
        return withExtendedLifetime(signals) { .done }
    }
}

extension Logger {
    init(_ settings: LogSettings) {
        let isTerminal = isatty(STDERR_FILENO) == 1
        self.init(level: settings.level, format: settings.format ?? (isTerminal ? .text : .json))
    }
}
