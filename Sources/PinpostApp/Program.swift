import Glibc

/// The executable `pinpost`: service and command line in one.
public enum Program {
    /// Runs what the command line asks for; the result is the exit code.
    public static func run(_ arguments: [String], environment: [String: String]) async -> Int32 {
        // A reader that has gone away is an error of `write`, not a reason to die.
        signal(SIGPIPE, SIG_IGN)
        let tool = CommandLineTool(
            table: .all, console: .standard, environment: environment,
            openFolder: { _ in
                throw Failure("unavailable", "The service is not running; start it first.", exit: .unavailable)
            })
        return await tool.run(arguments).rawValue
    }
}
