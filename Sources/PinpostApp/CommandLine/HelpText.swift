/// Help for people, made from the table of verbs.
enum HelpText {
    static func usage(of command: Command) -> String {
        let operands = command.operands.map { operand in
            switch operand.count {
            case .one: operand.name
            case .optional: "[\(operand.name)]"
            case .atLeastOne: "\(operand.name)…"
            }
        }
        return (["pinpost"] + command.path + operands + (command.flags.isEmpty ? [] : ["[flags]"])).joined(
            separator: " ")
    }

    static func of(_ command: Command) -> String {
        var sections = ["\(command.summary)\n\nUsage: \(usage(of: command))\n"]
        if !command.operands.isEmpty {
            sections.append(aligned(command.operands.map { ["  \($0.name)", $0.help] }))
        }
        sections.append("Flags:\n" + aligned(command.allFlags.map { ["  \(name(of: $0))", $0.help] }))
        if !command.notes.isEmpty { sections.append(command.notes + "\n") }
        return sections.joined(separator: "\n")
    }

    private static func name(of flag: AnyFlag) -> String {
        "--\(flag.name)" + (flag.placeholder.map { " \($0)" } ?? "")
            + (flag.placeholder != nil && flag.isRepeatable ? " …" : "")
    }

    /// The list of verbs; of all of them, or of those under one word.
    static func of(_ commands: [Command], under path: [String]) -> String {
        let list = aligned(commands.map { ["  \($0.name)", $0.summary] })
        let more = "`pinpost VERB --help` tells more about a verb.\n"
        guard path.isEmpty else { return "Verbs of \"pinpost \(path.joined(separator: " "))\":\n\(list)\n\(more)" }
        return """
            Pinpost pins what people send, by mail or webhook, on their own Pinry.

            Usage: pinpost VERB [arguments] [--json]

            \(list)
            \(more)Settings come from the environment and from \(EnvironmentFile.standardPath); see docs/configuration.md.
            Exit codes: 0 done, 1 refused, 2 wrong command line, 65 wrong data, 67 unknown mail address,
            69 not available, 75 try again later, 77 not allowed, 78 wrong configuration.

            """
    }

    private static func aligned(_ rows: [[String]]) -> String { TextTable(rows).text }
}
