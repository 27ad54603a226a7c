import Glibc
import PinpostCore

/// Where a command reads from and writes to; tests give their own.
struct Console: Sendable {
    var write: @Sendable (String) -> Void
    var writeError: @Sendable (String) -> Void
    /// The descriptor of standard input.
    var input: CInt
    /// Whether a person sits at standard input.
    var isInteractive: Bool
    /// Asks the person and hides what is typed; nil when the person breaks off.
    var askSecret: @Sendable (_ prompt: String) -> Secret?
    /// Asks the person; nil at the end of the input.
    var ask: @Sendable (_ prompt: String) -> String?
    /// The descriptor of standard output, for bytes that are no text.
    var output: CInt = STDOUT_FILENO
    /// Whether a line on standard error may be overwritten while work goes on.
    var showsProgress = false

    static let standard = Console(
        write: { send($0, to: STDOUT_FILENO) },
        writeError: { send($0, to: STDERR_FILENO) },
        input: STDIN_FILENO,
        isInteractive: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1,
        askSecret: { Prompt.secret($0) },
        ask: { Prompt.line($0) },
        showsProgress: isatty(STDERR_FILENO) == 1)

    /// Writes bytes that are no text.
    func writeBytes(_ bytes: [UInt8]) { Self.send(bytes, to: output) }

    private static func send(_ text: String, to descriptor: CInt) { send(Array(text.utf8), to: descriptor) }

    /// Writes everything; a reader that has gone away is no error of ours.
    private static func send(_ bytes: [UInt8], to descriptor: CInt) {
        var sent = 0
        while sent < bytes.count {
            let result = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return }
            sent += result
        }
    }
}
