import Glibc
import PinpostCore

/// The `pinry-double` executable: a Pinry in memory, with a page to look at.
public enum PinryDoubleCommand {
    private static let usage = """
        usage: pinry-double [--listen 127.0.0.1:PORT] --user NAME:TOKEN… [--board NAME:BOARD[:private]…] [--seed N]

        Prints its URL and runs until SIGINT or SIGTERM. Port 0 picks a free one. The start page shows the pins;
        GET /_state answers with everything that is stored, POST /_faults with a JSON array makes it misbehave.

        """

    private struct Arguments {
        var port = 0
        var users: [(name: String, token: String)] = []
        var boards: [(user: String, name: String, isPrivate: Bool)] = []
        var seed: UInt64 = 1
    }

    /// Runs until a signal comes; returns the exit status.
    public static func run(_ arguments: [String]) -> CInt {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(usage, terminator: "")
            return 0
        }
        guard let arguments = parse(arguments) else {
            Logger.writeToStandardError(usage)
            return 64
        }
        // Before the first thread starts, so that every thread leaves the signals to `sigwait` below.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        do {
            let double = try PinryDouble(port: arguments.port, seed: arguments.seed)
            for user in arguments.users { double.addUser(user.name, token: user.token) }
            for board in arguments.boards { double.addBoard(board.name, of: board.user, isPrivate: board.isPrivate) }
            print(double.url)
            fflush(nil)
            var received: CInt = 0
            sigwait(&signals, &received)
            double.stop()
            return 0
        } catch {
            Logger.writeToStandardError("pinry-double: \(error)\n")
            return 69
        }
    }

    private static func parse(_ words: [String]) -> Arguments? {
        var parsed = Arguments()
        var rest = words[...]
        while let flag = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            let parts = value.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            switch flag {
            case "--listen":
                guard parts.count == 2, parts[0] == "127.0.0.1", let port = UInt16(parts[1]) else { return nil }
                parsed.port = Int(port)
            case "--user":
                guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
                parsed.users.append((parts[0], parts[1]))
            case "--board":
                guard (2...3).contains(parts.count), parts.count == 2 || parts[2] == "private" else { return nil }
                parsed.boards.append((parts[0], parts[1], parts.count == 3))
            case "--seed":
                guard let seed = UInt64(value) else { return nil }
                parsed.seed = seed
            default: return nil
            }
        }
        return parsed
    }
}
