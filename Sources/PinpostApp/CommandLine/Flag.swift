/// A flag with a value, `--name VALUE` or `--name=VALUE`, and how the value is read.
struct Flag<Value>: Sendable {
    let name: String
    /// The value's name in the help.
    let placeholder: String
    let help: String
    /// What a right value looks like, after "is not".
    private let expected: String
    private let parse: @Sendable (String) -> Value?

    init(
        _ name: String, _ placeholder: String, _ help: String, expected: String,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.name = name
        self.placeholder = placeholder
        self.help = help
        self.expected = expected
        self.parse = parse
    }

    func read(_ text: String) throws(UsageError) -> Value {
        guard let value = parse(text) else { throw UsageError("--\(name): \"\(text)\" is not \(expected).") }
        return value
    }
}

extension Flag<String> {
    /// Any text; an empty one is refused, since it is mostly a shell variable that was not set.
    init(_ name: String, _ placeholder: String, _ help: String) {
        self.init(name, placeholder, help, expected: "a value") { $0.isEmpty ? nil : $0 }
    }
}

extension Flag<Int> {
    init(_ name: String, _ placeholder: String, _ help: String, in range: ClosedRange<Int>) {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        self.init(name, placeholder, help, expected: expected) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Flag where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == String {
    /// One word of an enumeration.
    init(_ name: String, _ help: String) {
        let words = Value.allCases.map(\.rawValue)
        self.init(name, words.joined(separator: "|"), help, expected: "one of \(words.joined(separator: ", "))") {
            Value(rawValue: $0)
        }
    }
}

/// A flag without a value.
struct Switch: Sendable {
    let name: String
    let help: String

    init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }
}

/// A flag or switch as the parser and the help see it.
struct AnyFlag: Sendable {
    let name: String
    /// nil for a switch.
    let placeholder: String?
    let help: String
    let isRepeatable: Bool
    /// Throws for a value of the wrong form.
    let check: @Sendable (String) throws(UsageError) -> Void

    init<Value>(_ flag: Flag<Value>, repeatable: Bool = false) {
        name = flag.name
        placeholder = flag.placeholder
        help = flag.help
        isRepeatable = repeatable
        check = { text throws(UsageError) in _ = try flag.read(text) }
    }

    init(_ flag: Switch) {
        name = flag.name
        placeholder = nil
        help = flag.help
        isRepeatable = true
        check = { _ in }
    }
}
