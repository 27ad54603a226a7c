import PinpostCore

/// Takes values out of the environment one by one and collects what is wrong with them.
struct ConfigurationReader {
    private let environment: [String: String]
    /// Where relative paths start; nil where there may be none.
    let currentFolder: String?
    private(set) var problems: [ConfigurationProblems.Problem] = []

    init(_ environment: [String: String], currentFolder: String? = nil) {
        self.environment = environment
        self.currentFolder = currentFolder
        let names = environment.keys.filter { $0.hasPrefix(ConfigurationKey.prefix) }
        for name in names.sorted() where ConfigurationKey(rawValue: name) == nil && !ConfigurationKey.isForeign(name) {
            let nearest = Spelling.nearest(to: name, among: ConfigurationKey.allCases.map(\.rawValue))
            complain(
                about: name, "There is no such setting.",
                nearest.map { "Did you mean \($0)?" } ?? "Remove it; docs/configuration.md lists all settings.")
        }
    }

    /// The text of a setting; nil when it is not set, and when it is empty.
    func text(_ key: ConfigurationKey) -> String? {
        guard let value = environment[key.rawValue]?.trimmed, !value.isEmpty else { return nil }
        return value
    }

    /// Reads a setting by a rule that gives nil for a wrong value; nil as well when it is not set.
    mutating func value<Value>(
        _ key: ConfigurationKey, expected: String, _ read: (String) -> Value?
    ) -> Value? {
        guard let text = text(key) else { return nil }
        guard let value = read(text) else {
            complain(about: key, text, isNot: expected)
            return nil
        }
        return value
    }

    mutating func complain(about key: ConfigurationKey, _ text: String, isNot expected: String) {
        complain(
            about: key.rawValue, "\"\(text.prefix(200))\" is not \(expected).",
            "Correct it, or remove it: the default is \(key.standard).")
    }

    mutating func choice<Value: RawRepresentable & CaseIterable>(
        _ key: ConfigurationKey, of _: Value.Type
    ) -> Value? where Value.RawValue == String {
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return value(key, expected: "one of \(names)") { Value(rawValue: $0) }
    }

    mutating func secret(_ key: ConfigurationKey) -> Secret? {
        guard var bytes = text(key).map({ Array($0.utf8) }) else { return nil }
        return Secret(taking: &bytes)
    }

    mutating func complain(about name: String, _ problem: String, _ remedy: String) {
        problems.append(.init(name: name, problem: problem, remedy: remedy))
    }
}
