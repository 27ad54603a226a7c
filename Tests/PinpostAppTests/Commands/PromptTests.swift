import PinpostCore
import PinpostTesting
import Testing

@testable import PinpostApp

@Suite("Questions on a terminal", .timeLimit(.minutes(10)))
struct PromptTests {
    private func person(typing secret: String?, _ line: String? = nil) -> @Sendable (inout Console) -> Void {
        { console in
            console.isInteractive = true
            console.askSecret = { _ in secret.map { Secret(copying: Array($0.utf8)) } }
            console.ask = { _ in line }
        }
    }

    @Test(
        "the token of a new tenant is asked for, and an empty answer means none",
        arguments: [
            ("ada-token", true), ("", false),
        ] as [(String, Bool)])
    func token(_ typed: String, _ hasToken: Bool) async throws {
        try await Stage.open { stage in
            let outcome = try await stage.run(
                ["tenant", "add", "ada", "--server", stage.pinry.url, "--allow-private"], person: person(typing: typed))
            #expect(outcome.exit == .done, "\(outcome.errors)")
            let shown = try await stage.run("tenant", "show", "--json").object()
            #expect(shown["has_token"] == .flag(hasToken))
        }
    }

    @Test("breaking off at the question adds nothing")
    func brokenOff() async throws {
        try await Stage.open { stage in
            let outcome = try await stage.run(
                ["tenant", "add", "ada", "--server", stage.pinry.url, "--allow-private"], person: person(typing: nil))
            #expect(outcome.exit == .usage)
            #expect(try await stage.run("tenant", "list", "--json").output == "[]\n")
        }
    }

    @Test("a token file of - is typed without echo")
    func typedToken() async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            let words = ["tenant", "set", "ada", "--token-file", "-"]
            #expect(try await stage.run(words, person: person(typing: "ada-token")).exit == .done)
            #expect(try await stage.run(words, person: person(typing: "two words")).exit == .usage)
            #expect(try await stage.run(words, person: person(typing: nil)).exit == .usage)
        }
    }

    @Test(
        "removing a tenant asks for its name",
        arguments: [("ada", ExitCode.done), ("bob", .usage), (nil, .usage)] as [(String?, ExitCode)])
    func confirmation(_ typed: String?, _ exit: ExitCode) async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            let outcome = try await stage.run(["tenant", "remove", "ada"], person: person(typing: nil, typed))
            #expect(outcome.exit == exit)
        }
    }
}
