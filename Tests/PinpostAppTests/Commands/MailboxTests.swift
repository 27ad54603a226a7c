import PinpostTesting
import Testing

@testable import PinpostApp

@Suite("The verbs about mailboxes", .timeLimit(.minutes(10)))
struct MailboxTests {
    private func add(_ server: ScriptedIMAPServer, on stage: Stage, _ more: [String] = []) async throws -> Stage.Outcome
    {
        let words = [
            "mailbox", "add", "inbox", "--host", "127.0.0.1", "--port", "\(server.port)", "--encryption", "none",
            "--user",
            "ada", "--password-file", "-",
        ]
        return try await stage.run(words + more, input: Array("pass word\n".utf8))
    }

    @Test(
        "a mailbox is tried out, added, shown without its password, polled and removed", arguments: Stage.Way.allCases)
    func whole(_ way: Stage.Way) async throws {
        let server = try ScriptedIMAPServer()
        try await Stage.open(way) { stage in
            server.put(Array("To: x@y.example\r\n\r\nx".utf8), uid: 7)
            let added = try await add(server, on: stage, ["--after", "move:Done"])
            #expect(added.exit == .done, "\(added.errors)")
            #expect(server.commands.contains("LOGIN ada \"pass word\""))
            #expect(try await add(server, on: stage).exit == .refused)
            #expect(try await stage.run("mailbox", "poll-now", "inbox").output.contains("watched"))
            let shown = try await stage.run("mailbox", "show", "inbox")
            #expect(shown.output.contains("move:Done") && shown.output.contains("No live address"))
            // A mail that was left alone is read once more when a person asks, and no sooner.
            for (flags, readings) in [([], 1), (["--again"], 2)] {
                #expect(try await stage.run(["mailbox", "poll-now", "inbox"] + flags).exit == .done)
                #expect(server.commands.count { $0.contains("BODY.PEEK[])") } == readings)
            }
            #expect(try await stage.run("mailbox", "show", "inbox").output.contains("left alone"))
            #expect(try await stage.run("mailbox", "probe", "inbox").output.contains("UID 7"))
            #expect(try await stage.run("mailbox", "test", "inbox").output.contains("works"))
            #expect(try await stage.run("mailbox", "set", "inbox", "--folder", "Other").output.contains("Other"))
            for verb in ["show", "test", "probe", "poll-now"] {
                let outcome = try await stage.run("mailbox", verb, "inbox", "--json")
                #expect(!(outcome.output + outcome.errors).contains("pass word"))
            }
            #expect(try await stage.run("mailbox", "remove", "inbox").exit == .done)
            #expect(try await stage.run("mailbox", "list").output.contains("No mailbox"))
        }
    }

    @Test("a refused login is said in the server's words, and nothing is stored")
    func refused() async throws {
        let server = try ScriptedIMAPServer()
        server.change { $0.login = "NO [AUTHENTICATIONFAILED] wrong, my friend" }
        try await Stage.open { stage in
            let outcome = try await add(server, on: stage)
            #expect(outcome.exit == .notAllowed && outcome.errors.contains("wrong, my friend"))
            #expect(try await stage.run("mailbox", "show", "inbox").exit == .refused)
            #expect(
                try await stage.run("mailbox", "add", "x", "--host", "a b", "--user", "u", "--password-file", "-").exit
                    != .done)
        }
    }
}
