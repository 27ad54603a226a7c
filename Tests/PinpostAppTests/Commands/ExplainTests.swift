import PinpostCore
import Testing

@testable import PinpostApp

@Suite("explain", .timeLimit(.minutes(1)))
struct ExplainTests {
    private let mail = """
        From: Ada <ada@example.com>
        To: pins+abc@example.org
        Subject: =?utf-8?q?D=C3=ADa?= #sun
        Message-ID: <a@b>

        board: Trips
        https://example.org/?utm_source=x
        """

    @Test("a mail is explained with every agreed field")
    func mailFields() async throws {
        try await Stage.open { stage in
            let path = try stage.file("mail.eml", Array(mail.utf8))
            let outcome = try await stage.run("explain", path, "--json")
            #expect(outcome.exit == .done)
            let fields = try outcome.object()
            #expect(
                Set(fields.keys) == [
                    "kind", "subject", "from", "recipients", "automated", "description", "tags", "board", "private",
                    "items", "skipped", "links",
                ])
            #expect(fields["kind"] == .text("mail") && fields["subject"] == .text("Día #sun"))
            #expect(fields["board"] == .text("Trips") && fields["automated"] == .null)
            #expect(outcome.output.contains("\"tags\":[\"sun\"]"))
            #expect(outcome.output.contains("\"kind\":\"link\",\"url\":\"https://example.org/"))
        }
    }

    @Test(
        "finds out what a file is",
        arguments: [
            ("Subject: x\n\nhttps://example.org/", "mail"), ("\n \nReceived: x\nSubject: y\n\nz", "mail"),
            ("From ada@example.com Mon Jan  1\nSubject: x\n\ny", "mail"),
            ("{\"url\":\"https://example.org/\"}", "hook"),
            ("https://example.org/", "hook"), ("look: at https://example.org/", "mail"),
        ])
    func guesses(_ text: String, _ kind: String) async throws {
        try await Stage.open { stage in
            let outcome = try await stage.run(["explain", "-", "--json"], input: Array(text.utf8))
            #expect(try outcome.object()["kind"] == .text(kind), "\(outcome.errors)")
        }
    }

    @Test("a board in the recipient counts where the mail names none")
    func boardOfRecipient() async throws {
        try await Stage.open { stage in
            let path = try stage.file("mail.eml", Array("Subject: x\n\nhttps://example.org/".utf8))
            let outcome = try await stage.run(
                "explain", path, "--recipient", "pins+abcdefghijklmnop.trips@example.org", "--json")
            #expect(try outcome.object()["board"] == .text("trips"))
        }
    }

    @Test("what cannot be read ends with 65 and a code, what is not there with 2")
    func refused() async throws {
        try await Stage.open { stage in
            for input in ["", "{\"url\":"] {
                let outcome = try await stage.run(["explain", "-", "--json"], input: Array(input.utf8))
                #expect(outcome.exit == .wrongData && outcome.output.hasPrefix("{\"error\":{\"code\":"))
            }
            #expect(try await stage.run("explain", "\(stage.folder)/none").exit == .usage)
            #expect(try await stage.run("explain", stage.folder).exit == .usage)
        }
    }
}
