import PinpostTesting
import Testing

@testable import PinpostApp

@Suite("What an admin is told beside the answer", .timeLimit(.minutes(10)))
struct AdviceTests {
    @Test("who relies on senders hears that nobody vouches for them", arguments: Stage.Way.allCases)
    func senders(_ way: Stage.Way) async throws {
        try await Stage.open(way) { stage in
            try await stage.addAda()
            let words = ["address", "add", "--mode", "sender", "--from", "ada@example.org"]
            #expect(try await stage.run(words).errors.contains("--trust-authserv"))
            #expect(try await !stage.run("address", "add").errors.contains("--trust-authserv"))
        }
        try await Stage.open { stage in
            try await stage.addAda()
            let trusting = stage.with(["PINPOST_TRUSTED_AUTHSERV": "mx.example.org"])
            let words = ["address", "add", "--mode", "sender", "--from", "ada@example.org"]
            #expect(try await !trusting.run(words).errors.contains("--trust-authserv"))
        }
    }

    @Test("who switches answers on hears that no server takes them", arguments: Stage.Way.allCases)
    func answers(_ way: Stage.Way) async throws {
        try await Stage.open(way) { stage in
            try await stage.addAda()
            let silent = try await stage.run("tenant", "set", "ada", "--replies", "never")
            #expect(!(silent.output + silent.errors).contains("PINPOST_SMTP_URL"))
            let loud = try await stage.run("tenant", "set", "ada", "--replies", "always")
            #expect((loud.output + loud.errors).contains("PINPOST_SMTP_URL"))
        }
    }

    @Test(
        "a change that changes nothing is a mistake",
        arguments: [["tenant", "set", "ada"], ["address", "set", "ada", "x"]])
    func nothing(_ words: [String]) async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            let outcome = try await stage.run(words)
            #expect(outcome.exit == .usage && outcome.errors.contains("--help"))
        }
    }

    @Test("without a name the lists are of all tenants, newest first and within the limit")
    func lists() async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            let bob = try await stage.run(
                "tenant", "add", "bob", "--server", stage.pinry.url, "--token-file", "-", "--allow-private",
                input: "ada-token\n")
            #expect(bob.exit == .done, "\(bob.errors)")
            try await stage.connected { administration, _ in
                for tenant in ["ada", "bob", "ada"] {
                    let wishes = PinWishes(
                        tenant: tenant, board: nil, description: nil, source: nil, tags: [], isPrivate: false)
                    _ = try await administration.perform(
                        SendPin(wishes: wishes, link: "https://example.org/"))
                }
            }
            func tenants(_ words: String...) async throws -> [String] {
                try await stage.run(words).output.split(separator: "\n").dropFirst()
                    .map { $0.contains(" bob ") ? "bob" : "ada" }
            }
            #expect(try await tenants("message", "list") == ["ada", "bob", "ada"])
            #expect(try await tenants("message", "list", "--limit", "2") == ["ada", "bob"])
            #expect(try await tenants("message", "list", "bob") == ["bob"])
            #expect(try await stage.run("item", "list").exit == .done)
            #expect(try await stage.run("item", "list", "nobody").exit == .refused)
        }
    }
}
