import Glibc
import PinpostCore

/// Questions on the terminal; they go to standard error, so that standard output stays clean for pipes.
enum Prompt {
    /// What a token or an answer may be at most, in bytes.
    private static let limit = 4_096

    static func line(_ prompt: String) -> String? {
        ask(prompt)
        return readLine().map { String(decoding: $0, as: UTF8.self).trimmed }
    }

    /// Reads key by key, without echo; nil when the person breaks off.
    ///
    /// Signals are off meanwhile: one that ended the process here would leave the terminal without echo.
    static func secret(_ prompt: String) -> Secret? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        // Without this the answer would be shown: then rather do not ask.
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return nil }
        ask(prompt)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            ask("\n")
        }
        guard var bytes = readKeys() else { return nil }
        return Secret(taking: &bytes)
    }

    private static func readKeys() -> [UInt8]? {
        var keys: [UInt8] = []
        keys.reserveCapacity(limit)
        while keys.count < limit {
            switch readByte() {
            case nil, 0x03: return nil
            case 0x0A, 0x0D, 0x04: return keys
            case 0x08, 0x7F: _ = keys.popLast()
            case 0x15: keys.removeAll(keepingCapacity: true)
            case let key?: keys.append(key)
            }
        }
        return keys
    }

    private static func ask(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// One line without its end, or nil when the input is at its end.
    private static func readLine() -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            guard let byte = readByte() else { return bytes.isEmpty ? nil : bytes }
            if byte == 0x0A { break }
            bytes.append(byte)
        }
        return bytes
    }

    private static func readByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let result = read(STDIN_FILENO, &byte, 1)
            if result == 1 { return byte }
            guard result < 0, errno == EINTR else { return nil }
        }
    }
}
