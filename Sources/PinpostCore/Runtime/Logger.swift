import FoundationEssentials
import Glibc

/// Writes one line per event to standard error: JSON, or text on a terminal.
///
/// Secrets are redacted by type: a `Secret` prints `[redacted]` wherever it is put.
public struct Logger: Sendable {
    public enum Level: String, Sendable, CaseIterable, Comparable {
        case debug, info, warning, error

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    }

    public enum Format: String, Sendable, CaseIterable {
        case json, text
    }

    /// A fact beside the message.
    public enum Value: Sendable {
        case text(String)
        case number(Int)
        case flag(Bool)
    }

    public typealias Fields = KeyValuePairs<String, any LogValue>

    private let level: Level
    private let format: Format
    private let context: [(String, Value)]
    private let write: @Sendable (String) -> Void

    public init(
        level: Level = .info, format: Format = .json,
        write: @escaping @Sendable (String) -> Void = Logger.writeToStandardError
    ) {
        self.init(level: level, format: format, context: [], write: write)
    }

    private init(
        level: Level, format: Format, context: [(String, Value)], write: @escaping @Sendable (String) -> Void
    ) {
        self.level = level
        self.format = format
        self.context = context
        self.write = write
    }

    /// Says nothing; for tests and for the CLI.
    public static let silent = Logger(level: .error, write: { _ in })

    /// The same logger with facts that every line of it carries.
    public func with(_ fields: Fields) -> Logger {
        Logger(
            level: level, format: format, context: context + fields.map { ($0.key, $0.value.logValue) }, write: write)
    }

    public func debug(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        log(.debug, message, fields)
    }

    public func info(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        log(.info, message, fields)
    }

    public func warning(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        log(.warning, message, fields)
    }

    public func error(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        log(.error, message, fields)
    }

    private func log(_ level: Level, _ message: () -> String, _ fields: () -> Fields) {
        guard level >= self.level else { return }
        let facts = context + fields().map { ($0.key, $0.value.logValue) }
        let line =
            switch format {
            case .json: Self.json(level, message(), facts)
            case .text: Self.text(level, message(), facts)
            }
        write(line)
    }

    private static func json(_ level: Level, _ message: String, _ facts: [(String, Value)]) -> String {
        let time = Date.now.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
        var line = "{\"ts\":\"\(time)Z\",\"level\":\"\(level.rawValue)\",\"msg\":\(JSONText.quote(message))"
        for (key, value) in facts { line += ",\(JSONText.quote(key)):\(value.json)" }
        return line + "}\n"
    }

    private static func text(_ level: Level, _ message: String, _ facts: [(String, Value)]) -> String {
        let facts = facts.map { " \($0.0)=\($0.1.json)" }.joined()
        return "\(level.rawValue): \(message)\(facts)\n"
    }

    /// One `write` a line, so that lines of several threads do not mix.
    public static func writeToStandardError(_ line: String) {
        var line = line
        line.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension Logger.Value {
    var json: String {
        switch self {
        case .text(let text): JSONText.quote(text)
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        }
    }
}

/// What may be logged.
public protocol LogValue {
    var logValue: Logger.Value { get }
}

extension String: LogValue {
    public var logValue: Logger.Value { .text(self) }
}

extension Int: LogValue {
    public var logValue: Logger.Value { .number(self) }
}

extension Bool: LogValue {
    public var logValue: Logger.Value { .flag(self) }
}

extension Identifier: LogValue {
    public var logValue: Logger.Value { .text(rawValue) }
}

extension Secret: LogValue {
    public var logValue: Logger.Value { .text(description) }
}
