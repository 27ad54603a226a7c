import Glibc
import PinpostCore

/// Questions on the terminal; they go to standard error, so that standard output stays clean for pipes.
enum Prompt {
    /// What a token or an answer may be at most, in bytes.
    private static let limit = 4_096

    static func line(_ prompt: String) -> String? {
        ask(prompt)
        return readBytes().map { String(decoding: $0, as: UTF8.self).trimmed }
    }

    /// Switches the echo off while the answer is typed.
    static func secret(_ prompt: String) -> Secret? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        // Without this the answer would be shown: then rather do not ask.
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return nil }
        ask(prompt)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            ask("\n")
        }
        guard var bytes = readBytes() else { return nil }
        while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        return Secret(taking: &bytes)
    }

    private static func ask(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// One line without its end, or nil when the input is at its end.
    private static func readBytes() -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(limit)
        var byte: UInt8 = 0
        while bytes.count < limit {
            let result = read(STDIN_FILENO, &byte, 1)
            if result < 0, errno == EINTR { continue }
            guard result == 1 else { return bytes.isEmpty ? nil : bytes }
            if byte == UInt8(ascii: "\n") { return bytes }
            bytes.append(byte)
        }
        return bytes
    }
}
