/// All verbs, and how a command line finds one.
struct CommandTable: Sendable {
    let commands: [Command]

    enum Request: Sendable {
        case help(String)
        case run(Command, Arguments)
    }

    /// Reads a command line without the program's name; pure.
    func parse(_ words: [String]) throws(UsageError) -> Request {
        // What every program answers.
        let words = words == ["--version"] ? ["version"] : words
        var path: [String] = []
        var rest = words[...]
        while let word = rest.first {
            if word == "--help" || word == "-h" || path.isEmpty && word == "help" {
                let wanted =
                    path.isEmpty && word == "help" ? Array(rest.dropFirst().prefix { !$0.hasPrefix("-") }) : path
                return .help(try help(on: wanted))
            }
            guard !word.hasPrefix("-") || path.isEmpty else { break }
            try refuseSecret(word)
            path.append(word)
            rest = rest.dropFirst()
            if let command = commands.first(where: { $0.path == path }),
                rest.first.map({ isPrefix(path + [$0]) }) != true
            {
                return try ArgumentParser(command).parse(rest)
            }
            guard isPrefix(path) else { throw unknown(path) }
        }
        guard !path.isEmpty else { return .help(try help(on: [])) }
        throw UsageError(
            "\"pinpost \(path.joined(separator: " "))\" needs a verb: \(verbs(after: path).joined(separator: ", ")).")
    }

    /// The verb with which a command line begins, whatever is wrong with the rest.
    func command(beginning words: [String]) -> Command? { commands.first { words.starts(with: $0.path) } }

    /// Whether a longer verb begins so, or is this; `pin list` goes before a file named `list`.
    private func isPrefix(_ path: [String]) -> Bool { commands.contains { $0.path.starts(with: path) } }

    /// The words that may follow, in the order of the table.
    private func verbs(after path: [String]) -> [String] {
        var verbs: [String] = []
        for command in commands where command.path.starts(with: path) && command.path.count > path.count {
            let verb = command.path[path.count]
            if !verbs.contains(verb) { verbs.append(verb) }
        }
        return verbs
    }

    private func unknown(_ path: [String]) -> UsageError {
        let start = Array(path.dropLast())
        let word = path.last ?? ""
        if word.hasPrefix("-") { return UsageError("A verb has to come before \(word); `pinpost --help` lists them.") }
        let known = verbs(after: start)
        let place = (["pinpost"] + start).joined(separator: " ")
        if let nearest = Spelling.nearest(to: word, among: known) {
            return UsageError("There is no \"\(place) \(word)\". Did you mean \"\(place) \(nearest)\"?")
        }
        return UsageError("There is no \"\(place) \(word)\". Choose one of: \(known.joined(separator: ", ")).")
    }

    private func help(on path: [String]) throws(UsageError) -> String {
        if let command = commands.first(where: { $0.path == path }) { return HelpText.of(command) }
        guard isPrefix(path) else { throw unknown(path) }
        return HelpText.of(commands.filter { $0.path.starts(with: path) }, under: path)
    }
}

/// Refuses what would show a secret to everybody who can list processes.
private func refuseSecret(_ word: String) throws(UsageError) {
    let name = word.prefix { $0 != "=" }
    guard ["--token", "--password", "--secret"].contains(String(name)) else { return }
    throw UsageError(
        "\(name) is refused, because a command line can be read by other users and stays in the shell's history. "
            + "Use --token-file FILE, or --token-file - to type or pipe it.")
}

/// Sorts the words after a verb into flags and operands.
private struct ArgumentParser {
    private let command: Command
    private var operands: [String] = []
    private var values: [String: [String]] = [:]

    init(_ command: Command) { self.command = command }

    consuming func parse(_ words: ArraySlice<String>) throws(UsageError) -> CommandTable.Request {
        var words = words
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                break
            }
            if word == "-h" || word == "--help" { return .help(HelpText.of(command)) }
            if word.hasPrefix("-"), word != "-" {
                try takeFlag(word, &words)
            } else {
                operands.append(word)
            }
        }
        try checkOperands()
        return .run(command, Arguments(operands: operands, values: values))
    }

    private mutating func takeFlag(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let equals = word.firstIndex(of: "=")
        let written = String(word[..<(equals ?? word.endIndex)])
        guard let flag = command.allFlags.first(where: { "--\($0.name)" == written }) else {
            try refuseSecret(word)
            throw unknown(written)
        }
        guard let placeholder = flag.placeholder else {
            guard equals == nil else { throw UsageError("--\(flag.name) takes no value.") }
            values[flag.name, default: []].append("")
            return
        }
        let given = equals.map { String(word[word.index(after: $0)...]) } ?? rest.popFirst()
        guard let value = given, equals != nil || value == "-" || !value.hasPrefix("--") else {
            throw UsageError("--\(flag.name) needs a value: --\(flag.name) \(placeholder).")
        }
        guard flag.isRepeatable || values[flag.name] == nil else { throw UsageError("--\(flag.name) is given twice.") }
        try flag.check(value)
        values[flag.name, default: []].append(value)
    }

    private func unknown(_ flag: String) -> UsageError {
        let known = command.allFlags.map { "--\($0.name)" }
        if let nearest = Spelling.nearest(to: flag, among: known) {
            return UsageError("\"pinpost \(command.name)\" has no flag \(flag). Did you mean \(nearest)?")
        }
        return UsageError("\"pinpost \(command.name)\" has no flag \(flag); see `pinpost \(command.name) --help`.")
    }

    private func checkOperands() throws(UsageError) {
        let needed = command.operands.filter { $0.count != .optional }
        guard operands.count >= needed.count else {
            let missing = needed[operands.count]
            throw UsageError("\(missing.name) is missing: \(missing.help). Usage: \(HelpText.usage(of: command))")
        }
        let takesMany = command.operands.last?.count == .atLeastOne
        guard takesMany || operands.count <= command.operands.count else {
            throw UsageError(
                "\"\(operands[command.operands.count])\" is too much. Usage: \(HelpText.usage(of: command))")
        }
        guard !operands.contains("") else {
            throw UsageError("An argument is empty; is a shell variable not set? Usage: \(HelpText.usage(of: command))")
        }
    }
}
