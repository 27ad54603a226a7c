import FoundationEssentials
import Glibc
import PinpostCore
import Synchronization
import Testing

@testable import PinpostApp

@Suite("Mail that waits for a person", .timeLimit(.minutes(10)))
struct QuarantineTests {
    private static let header = "From: Ada <ada@example.net>\r\nSubject: a\r\n\r\nhttps://127.0.0.1/\r\n"
    private let proven =
        "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net\r\n" + QuarantineTests.header
    private let forged =
        "Authentication-Results: mx.example.org; dmarc=fail header.from=example.net\r\n"
        + "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net\r\n" + QuarantineTests.header

    private func open(_ body: @Sendable (Stage, String) async throws -> Void) async throws {
        try await Stage.open { stage in
            let stage = stage.with(["PINPOST_TRUSTED_AUTHSERV": ".example.org"])
            try await stage.addAda()
            let made = try await stage.run("address", "add", "--mode", "sender", "--from", "@example.net", "--json")
            try await body(stage, try #require(try made.object()["address"]?.text))
        }
    }

    private func ingest(_ mail: String, to address: String, on stage: Stage) async throws -> String? {
        let outcome = try await stage.run("ingest", "mail", "--recipient", address, "--json", input: mail)
        #expect(outcome.exit == .done, "\(outcome.errors)")
        return try outcome.object()["message"]?.text
    }

    /// What has become of a message once it was read.
    private func read(_ id: String, on stage: Stage) async throws -> MessageReport {
        let report = Mutex<MessageReport?>(nil)
        try await stage.connected { connection, _ in
            try await connection.delivering {
                while true {
                    let found = try await connection.perform(ShowMessage(id: Message.ID(id)))
                    report.withLock { $0 = found }
                    if found.state != .accepted { return }
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }
        return try #require(report.withLock { $0 })
    }

    @Test("a sender who is not proven waits, until he is let through")
    func release() async throws {
        try await open { stage, address in
            let id = try #require(try await ingest(forged, to: address, on: stage))
            let parked = try await read(id, on: stage)
            #expect(parked.state == .parked && parked.reason?.contains("dmarc=fail") == true)
            let list = try await stage.run("quarantine", "list", "--json")
            #expect(list.output.contains(id) && list.output.contains("\"tenant\":\"ada\""))
            let held = try #require(list.output.split(separator: "\"id\":\"").last?.prefix { $0 != "\"" })
            let source = try await stage.source("quarantine", "show", String(held), "--source")
            #expect(source == Array(forged.utf8))
            #expect(try await stage.source("message", "show", id, "--source") == Array(forged.utf8))
            // The rules still want the same.
            #expect(try await stage.run("message", "replay", id).exit == .done)
            #expect(try await read(id, on: stage).state == .parked)
            let again = try await stage.run("quarantine", "list", "--json").output
            let heldAgain = try #require(again.split(separator: "\"id\":\"").last?.prefix { $0 != "\"" })
            #expect(try await stage.run("quarantine", "release", String(heldAgain)).exit == .done)
            #expect(try await read(id, on: stage).state != .parked)
            #expect(try await stage.run("quarantine", "list", "--json").output == "[]\n")
        }
    }

    @Test("a proven sender pins, with the address or without; another one's mail waits")
    func senders() async throws {
        try await open { stage, address in
            let direct = try #require(try await ingest(proven, to: address, on: stage))
            #expect(try await read(direct, on: stage).state != .parked)
            let plain = try #require(
                try await ingest(proven.replacing(": a\r", with: ": b\r"), to: "pins@example.org", on: stage))
            #expect(try await read(plain, on: stage).state != .parked)
            #expect(try await ingest(forged, to: "pins@example.org", on: stage) == nil)
            let list = try await stage.run("quarantine", "list", "--json").output
            #expect(list.contains("\"message\":null") && list.contains("\"cause\":\"sender\""))
            let held = try #require(list.split(separator: "\"id\":\"").last?.prefix { $0 != "\"" })
            #expect(try await stage.run("quarantine", "release", String(held)).exit == .usage)
            let released = try await stage.run("quarantine", "release", String(held), "--tenant", "ada", "--json")
            let id = try #require(try released.object()["message"]?.text)
            #expect(try await read(id, on: stage).state != .parked)
        }
    }

    @Test("without an address for senders the mailbox itself is no address")
    func noSenders() async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            _ = try await stage.run("address", "add")
            let outcome = try await stage.run("ingest", "mail", "--recipient", "pins@example.org", input: proven)
            #expect(outcome.exit == .unknownAddress)
        }
    }

    @Test("addresses are listed, changed, rotated and removed by command")
    func addresses() async throws {
        try await open { stage, address in
            let list = try await stage.run("address", "list", "--json")
            #expect(!list.output.contains(address) && list.output.contains("\"mode\":\"sender\""))
            let id = try #require(list.output.split(separator: "\"id\":\"").last?.prefix { $0 != "\"" })
            let set = try await stage.run(
                "address", "set", "ada", String(id), "--expires", "2d", "--tag", "x", "--json")
            #expect(set.output.contains("\"tags\":[\"x\"]") && !set.output.contains("\"expires\":null"))
            #expect(try await stage.run("address", "show", "ada", String(id)).output.hasPrefix(address + "\n"))
            let rotated = try await stage.run("address", "rotate", "ada", String(id), "--keep", "0d")
            #expect(rotated.exit == .done && rotated.output != address + "\n")
            let gone = try await stage.run("ingest", "mail", "--recipient", address, input: proven)
            #expect(gone.exit == .unknownAddress)
            for wrong in [["--expires", "soon"], ["--mode", "all"], ["--private", "--public"]] {
                #expect(try await stage.run(["address", "set", "ada", String(id)] + wrong).exit == .usage)
            }
            #expect(try await stage.run("address", "remove", "ada", String(id)).exit == .done)
            #expect(try await stage.run("address", "list").output.hasPrefix("There is no address"))
        }
    }
}

extension Stage {
    /// What a command writes to standard output as bytes.
    fileprivate func source(_ words: String...) async throws -> [UInt8] {
        let file = try self.file("output", [])
        let descriptor = Glibc.open(file, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let outcome = try await run(words) { $0.output = descriptor }
        #expect(outcome.exit == .done, "\(outcome.errors)")
        return Array(try Data(contentsOf: URL(filePath: file)))
    }
}
