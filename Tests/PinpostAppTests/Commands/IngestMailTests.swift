import PinpostCore
import Testing

@testable import PinpostApp

@Suite("ingest mail", .timeLimit(.minutes(10)))
struct IngestMailTests {
    private let mail = """
        Received: from a\r
        Message-ID: <one@example.com>\r
        Subject: Hello\r
        \r
        https://example.org/\r

        """

    /// Adds ada with an address.
    private func address(on stage: Stage) async throws -> String {
        try await stage.addAda()
        return try #require(try await stage.run("address", "add", "--json").object()["address"]?.text)
    }

    @Test("a mail is stored, and its repeat changes nothing", arguments: Stage.Way.allCases)
    func repeats(_ way: Stage.Way) async throws {
        try await Stage.open(way) { stage in
            let address = try await address(on: stage)
            let first = try await stage.run("ingest", "mail", "--recipient", address, "--json", input: mail)
            #expect(first.exit == .done)
            #expect(try first.object()["repeat"] == .flag(false))
            let again = try await stage.run(
                "ingest", "mail", "--recipient", "<\(address.uppercased())>", "--json",
                input: "Received: from b\r\n" + mail)
            #expect(try again.object()["repeat"] == .flag(true))
            #expect(try again.object()["message"] == first.object()["message"])
            let id = try #require(try first.object()["message"]?.text)
            let report = try await stage.run("message", "show", id, "--json").object()
            #expect(Set(report.keys) == ["id", "state", "reason", "items", "skipped"])
        }
    }

    @Test("another content under the same Message-ID, and the same mail to another address, are new")
    func notRepeats() async throws {
        try await Stage.open { stage in
            let address = try await address(on: stage)
            let other = try #require(try await stage.run("address", "add", "--json").object()["address"]?.text)
            for (recipient, text) in [(address, mail), (address, mail + "more\r\n"), (other, mail)] {
                let outcome = try await stage.run("ingest", "mail", "--recipient", recipient, "--json", input: text)
                #expect(try outcome.object()["repeat"] == .flag(false))
            }
        }
    }

    @Test("what is wrong with the mail is final", arguments: Stage.Way.allCases)
    func final(_ way: Stage.Way) async throws {
        try await Stage.open(way) { stage in
            let address = try await address(on: stage)
            for content in ["", "#!/bin/sh\necho from: me\n", "\u{89}PNG\r\n", "{\"from\": 1}", "only words"] {
                let outcome = try await stage.run("ingest", "mail", "--recipient", address, input: content)
                #expect(outcome.exit == .wrongData, "\(content)")
            }
            for unknown in ["pins+nobody@example.org", "pins@example.org", "ada@elsewhere.example", "nonsense"] {
                let outcome = try await stage.run("ingest", "mail", "--recipient", unknown, input: mail)
                #expect(outcome.exit == .unknownAddress)
            }
            let large =
                Array(mail.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: MailSettings.standardMebibytes << 20)
            #expect(try await stage.run(["ingest", "mail", "--recipient", address], input: large).exit == .wrongData)
            #expect(try await stage.run("message", "list", "--json").output == "[]\n")
        }
    }

    @Test(
        "a mistake in the mail server's settings lets it keep the mail",
        arguments: [[], ["--recipient"], ["--recipent", "x"], ["--recipient="], ["--sendr", "y", "--recipient", "x"]])
    func mistakes(_ words: [String]) async throws {
        try await Stage.open { stage in
            let outcome = try await stage.run(["ingest", "mail"] + words, input: Array(mail.utf8))
            #expect(outcome.exit == .tryLater && !outcome.errors.isEmpty, "\(outcome.errors)")
        }
    }

    @Test("what is wrong on our side lets the mail server keep the mail")
    func temporary() async throws {
        try await Stage.open { stage in
            let address = try await address(on: stage)
            // Another process holds the folder and listens nowhere.
            let opened = try await OpenedFolder.open(try Configuration.read(from: stage.environment))
            let locked = try await stage.run("ingest", "mail", "--recipient", address, input: mail)
            #expect(locked.exit == .tryLater, "\(locked.errors)")
            await opened.close()
            _ = try await stage.run("ingest", "mail", "--recipient", address, input: mail)
        }
    }

    @Test("an account that has received as much as it may in a day lets the mail server keep the mail")
    func spent() async throws {
        try await Stage.open { stage in
            let limited = stage.with(["PINPOST_TENANT_DAILY_MIB": "1"])
            try await limited.withDaemon {
                let address = try await address(on: limited)
                let large = Array(mail.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 19)
                let words = ["ingest", "mail", "--recipient", address]
                #expect(try await limited.run(words, input: large).exit == .done)
                #expect(try await limited.run(words, input: Array(mail.utf8)).exit == .tryLater)
            }
        }
    }
}
