/// One verb: what it takes, what it says about itself, and what it does.
struct Command: Sendable {
    /// A positional argument.
    struct Operand: Sendable {
        enum Count: Sendable {
            case one, optional, atLeastOne
        }

        let name: String
        let count: Count
        let help: String

        init(_ name: String, _ help: String, count: Count = .one) {
            self.name = name
            self.help = help
            self.count = count
        }
    }

    /// `["tenant", "add"]`.
    let path: [String]
    /// One line for the list of verbs.
    let summary: String
    let operands: [Operand]
    let flags: [AnyFlag]
    /// What a person should know beside the flags; whole lines.
    let notes: String
    /// A mail server runs it, and would bounce the mail for an exit status that it takes as final: whatever is not the
    /// mail's fault has to be 75, a mistake in the command line too.
    let isPipe: Bool
    let run: @Sendable (Arguments, CommandContext) async throws -> ExitCode

    init(
        _ path: String, _ summary: String, operands: [Operand] = [], flags: [AnyFlag] = [], notes: String = "",
        isPipe: Bool = false,
        run: @escaping @Sendable (Arguments, CommandContext) async throws -> ExitCode
    ) {
        self.path = path.split(separator: " ").map(String.init)
        self.summary = summary
        self.operands = operands
        self.flags = flags
        self.notes = notes
        self.isPipe = isPipe
        self.run = run
    }

    var name: String { path.joined(separator: " ") }

    /// Understood by every verb.
    static let json = Switch("json", "print one line of JSON with sorted keys")
    static let help = Switch("help", "print this help")

    var allFlags: [AnyFlag] { flags + [AnyFlag(Self.json), AnyFlag(Self.help)] }
}

/// What a command line gave to a verb; every value has the right form already.
struct Arguments: Sendable {
    let operands: [String]
    let values: [String: [String]]

    /// The first operand; nil where an optional one is missing.
    var operand: String? { operands.first }

    func has(_ flag: Switch) -> Bool { values[flag.name] != nil }

    /// The value of a flag; the last one where it was given twice.
    func value<Value>(_ flag: Flag<Value>) throws(UsageError) -> Value? {
        guard let text = values[flag.name]?.last else { return nil }
        return try flag.read(text)
    }

    func required<Value>(_ flag: Flag<Value>) throws(UsageError) -> Value {
        guard let value = try value(flag) else {
            throw UsageError("--\(flag.name) \(flag.placeholder) is missing: \(flag.help).")
        }
        return value
    }

    /// A verb that changes something has to be told what.
    func requireChange(by verb: String) throws(UsageError) {
        guard values.keys.contains(where: { $0 != Command.json.name }) else {
            throw UsageError("Say what to change; see `pinpost \(verb) --help`.")
        }
    }

    func all<Value>(_ flag: Flag<Value>) throws(UsageError) -> [Value] {
        var all: [Value] = []
        for text in values[flag.name] ?? [] { all.append(try flag.read(text)) }
        return all
    }
}
