/// How a command ended, for scripts and mail servers (the numbers above 2 are those of sysexits.h).
enum ExitCode: Int32, Sendable, Codable, CaseIterable {
    case done = 0
    /// There is no such record, or its state forbids it.
    case refused = 1
    case usage = 2
    /// What was given is wrong: no mail, no picture, no Pinry, no such board.
    case wrongData = 65
    case unknownAddress = 67
    /// Pinry or the daemon cannot be reached.
    case unavailable = 69
    case tryLater = 75
    /// Another user's data, a refused token.
    case notAllowed = 77
    case configuration = 78
}
