import Testing

@testable import PinpostApp

@Suite("Command line")
struct CommandTableTests {
    private static let board = Flag("board", "NAME|ID", "a board")
    private static let tag = Flag("tag", "TAG", "a tag")
    private static let limit = Flag("limit", "N", "how many", in: 1...500)
    private static let quick = Switch("quick", "be quick")

    private static let table = CommandTable(commands: [
        Command("tenant add", "add a tenant", operands: [.init("SLUG", "a name")], flags: [AnyFlag(board)]) { _, _ in
            .done
        },
        Command("tenant list", "list the tenants") { _, _ in .done },
        Command(
            "pin", "send pins", operands: [.init("FILE|URL", "what to pin", count: .atLeastOne)],
            flags: [AnyFlag(tag, repeatable: true), AnyFlag(limit), AnyFlag(quick)]
        ) { _, _ in .done },
    ])

    private func arguments(_ words: String...) throws -> Arguments {
        guard case .run(_, let arguments) = try Self.table.parse(words) else {
            throw UsageError("help instead of a command")
        }
        return arguments
    }

    private func complaint(_ words: String...) -> String? {
        do {
            _ = try Self.table.parse(words)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("finds the verb, its operands and its flags in any order")
    func parses() throws {
        let arguments = try arguments("pin", "--tag", "a", "one.jpg", "--limit=7", "--quick", "--tag=b", "two.jpg")
        #expect(arguments.operands == ["one.jpg", "two.jpg"])
        #expect(try arguments.all(Self.tag) == ["a", "b"])
        #expect(try arguments.value(Self.limit) == 7)
        #expect(arguments.has(Self.quick))
        #expect(try arguments.value(Self.board) == nil)
    }

    @Test("takes words after -- and a single hyphen as operands")
    func endOfFlags() throws {
        #expect(try arguments("pin", "-", "--", "--quick").operands == ["-", "--quick"])
    }

    @Test(
        "names the nearest verb for a typing error",
        arguments: [
            ("tenat", "pinpost tenant"), ("tneant", "pinpost tenant"), ("pni", "pinpost pin"),
        ])
    func suggestsVerbs(_ typed: String, _ meant: String) {
        #expect(complaint(typed)?.contains("Did you mean \"\(meant)\"?") == true)
    }

    @Test("names the nearest second word and the nearest flag")
    func suggestsDeeper() {
        #expect(complaint("tenant", "ad")?.contains("Did you mean \"pinpost tenant add\"?") == true)
        #expect(complaint("tenant", "add", "x", "--bord", "y")?.contains("Did you mean --board?") == true)
    }

    @Test("lists the verbs where nothing is near")
    func listsVerbs() {
        #expect(complaint("xylophone")?.contains("Choose one of: tenant, pin.") == true)
        #expect(complaint("tenant")?.contains("needs a verb: add, list.") == true)
    }

    @Test(
        "refuses a token on the command line and says why",
        arguments: [
            ["tenant", "add", "x", "--token", "s3cret"], ["tenant", "add", "x", "--token=s3cret"],
            ["--password=s3cret"],
        ])
    func refusesSecrets(_ words: [String]) {
        let error = #expect(throws: UsageError.self) { _ = try Self.table.parse(words) }
        #expect(error?.description.contains("--token-file") == true)
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test(
        "explains what is wrong with the words after a verb",
        arguments: [
            (["tenant", "add"], "SLUG is missing"),
            (["tenant", "add", "a", "b"], "\"b\" is too much"),
            (["tenant", "add", "a", "--board"], "--board needs a value"),
            (["tenant", "add", "a", "--board", "--json"], "--board needs a value"),
            (["tenant", "add", "a", "--board="], "is not a value"),
            (["tenant", "add", "a", "--board", "x", "--board", "y"], "given twice"),
            (["tenant", "add", ""], "empty"),
            (["pin", "x", "--limit", "0"], "\"0\" is not a whole number from 1 to 500"),
            (["pin", "x", "--limit", "many"], "whole number"),
            (["pin", "x", "--quick=yes"], "takes no value"),
        ])
    func wrongWords(_ words: [String], _ part: String) {
        let error = #expect(throws: UsageError.self) { _ = try Self.table.parse(words) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test(
        "gives help at each level",
        arguments: [
            ([], "tenant add"), (["--help"], "Usage: pinpost VERB"), (["help"], "Usage: pinpost VERB"),
            (["tenant", "--help"], "Verbs of \"pinpost tenant\""), (["help", "tenant"], "Verbs of \"pinpost tenant\""),
            (["tenant", "add", "--help"], "Usage: pinpost tenant add SLUG [flags]"),
            (["tenant", "add", "x", "-h"], "--board NAME|ID"), (["help", "pin"], "FILE|URL…"),
        ])
    func help(_ words: [String], _ part: String) throws {
        guard case .help(let text) = try Self.table.parse(words) else {
            Issue.record("a command instead of help")
            return
        }
        #expect(text.contains(part))
    }

    @Test("every verb of the program has one name, a summary, and help that names each flag")
    func wholeTable() throws {
        let commands = CommandTable.all.commands
        #expect(Set(commands.map(\.name)).count == commands.count)
        for command in commands {
            #expect(command.summary.first?.isLowercase == true && command.summary.last != ".")
            guard case .help(let text) = try CommandTable.all.parse(command.path + ["--help"]) else {
                Issue.record("no help for \(command.name)")
                continue
            }
            for flag in command.allFlags { #expect(text.contains("--\(flag.name)"), "\(command.name)") }
        }
    }
}
