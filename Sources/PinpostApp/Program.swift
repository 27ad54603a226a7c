import Glibc
import PinpostCore

/// The executable `pinpost`: service and command line in one.
public enum Program {
    /// Runs what the command line asks for; the result is the exit code.
    public static func run(_ arguments: [String], environment: [String: String]) async -> Int32 {
        // A reader that has gone away is an error of `write`, not a reason to die.
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow (RLIMIT_FSIZE) is a full disk, not the end.
        signal(SIGXFSZ, SIG_IGN)
        let tool = CommandLineTool(
            table: .all, console: .standard, environment: environment, openFolder: OpenedFolder.open)
        return await tool.run(arguments).rawValue
    }
}

extension OpenedFolder {
    /// Opens the data folder for one command, with workers at hand for those that wait for a pin.
    static func open(_ configuration: Configuration) async throws -> OpenedFolder {
        // What a command does is said by its output; only what goes wrong beside it belongs on standard error.
        var quiet = configuration.log
        quiet.level = max(quiet.level, .warning)
        quiet.format = quiet.format ?? .text
        let composition = try await Composition.open(configuration, logger: Logger(quiet))
        return OpenedFolder(
            desk: composition.desk,
            work: { try await ServiceGroup(composition.workers).run(until: $0) },
            close: { await composition.close() })
    }
}
