import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Mails that a server will not give", .timeLimit(.minutes(10)))
struct TroubledMailTests {
    private static let minutes: TimeInterval = 60

    /// A server with four mails, of which the second makes trouble as `answer` says to commands that ask for it.
    private func withServer(
        _ answer: @escaping @Sendable (String) -> ScriptedIMAPServer.Answer?,
        _ body: (ScriptedIMAPServer, MailboxStage, WatchedMailbox) async throws -> Void
    ) async throws {
        let server = try ScriptedIMAPServer()
        try await MailboxStage.open { stage in
            for uid in 1...4 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
            server.change { script in
                script.answer = { ScriptedIMAPServer.isFor(2, $0, "UID FETCH ") ? answer($0) : nil }
            }
            try await body(server, stage, try await stage.addMailbox(port: server.port))
        }
    }

    private static func body(_ command: String, _ answer: ScriptedIMAPServer.Answer) -> ScriptedIMAPServer.Answer? {
        command.contains("BODY.PEEK[])") ? answer : nil
    }

    /// Tries that asked for this mail alone.
    private static func tries(of uid: Int, at server: ScriptedIMAPServer) -> Int {
        server.commands.count { $0 == "UID FETCH \(uid) (UID BODY.PEEK[])" }
    }

    @Test(
        "a busy server is waited for however long it takes, and no mail is given up",
        arguments: [
            "[THROTTLED] Request is throttled, try again later", "[UNAVAILABLE] x", "[INUSE] x", "[LIMIT] x",
            "[OVERQUOTA] Account exceeded command or bandwidth limits", "Server Unavailable. 15",
        ])
    func busy(_ words: String) async throws {
        let answer = ScriptedIMAPServer.Answer.text("%T NO \(words)\r\n")
        try await withServer {
            Self.body($0, answer)
        } _: { server, stage, mailbox in
            for _ in 0..<9 {
                // Whatever is asked for.
                server.change { $0.answer = { $0.contains("BODY.PEEK") ? answer : nil } }
                let error = await #expect(throws: IMAPError.self) { try await stage.service.look(at: mailbox) }
                #expect(error?.code == .busy)
                stage.clock.advance(by: 600 * Self.minutes)
            }
            #expect(try await stage.store.health(of: mailbox.id).quarantined == 0)
            server.change { $0.answer = { _ in nil } }
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(4).count == 4)
            #expect(try await stage.store.health(of: mailbox.id).failing == 0)
        }
    }

    @Test(
        "one mail that is refused, by its size or its body, holds up no other, is asked for again later, then let be",
        arguments: ["[SERVERBUG] Server error - please try again later", "no"], ["RFC822.SIZE", "BODY.PEEK[])"])
    func refused(_ words: String, _ item: String) async throws {
        let refusal = ScriptedIMAPServer.Answer.text("%T NO \(words)\r\n")
        try await withServer {
            $0.contains(item) ? refusal : nil
        } _: { server, stage, mailbox in
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(3).count == 3)
            // Not at once, however often somebody looks.
            for _ in 0..<3 { try await stage.service.look(at: mailbox) }
            var health = try await stage.store.health(of: mailbox.id)
            #expect(health.failing == 1 && health.quarantined == 0)
            stage.clock.advance(by: 11 * Self.minutes)
            try await stage.service.look(at: mailbox)
            health = try await stage.store.health(of: mailbox.id)
            #expect(health.failing == 0 && health.unreadable == 1)
            let told = try await stage.store.quarantine(of: mailbox.id, newest: 9)
            #expect(told.map(\.kind) == [.unreadable] && told.first?.reason.contains(words) == true)
            let asked = Self.tries(of: 2, at: server)
            try await stage.service.look(at: mailbox)
            #expect(Self.tries(of: 2, at: server) == asked)
            // The server was mended, and a person asks.
            server.change { $0.answer = { _ in nil } }
            #expect(try await stage.store.readAgain(in: mailbox.id, now: stage.clock.now) == 1)
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(4).count == 4)
            #expect(try await stage.store.health(of: mailbox.id).unreadable == 0)
        }
    }

    @Test("a mail at which the connection drops is found, and all others come at once", arguments: [true, false])
    func dropped(_ bySize: Bool) async throws {
        let item = bySize ? "RFC822.SIZE" : "BODY.PEEK[])"
        try await withServer {
            $0.contains(item) ? .close("") : nil
        } _: { server, stage, mailbox in
            // The others come on the connections right after those that dropped.
            for _ in 0..<3 { try? await stage.service.look(at: mailbox) }
            #expect(try await stage.messages(3).count == 3)
            server.put(stage.mail("mail-5"), uid: 5)
            try? await stage.service.look(at: mailbox)
            #expect(try await stage.messages(4).count == 4)
            #expect(try await stage.store.health(of: mailbox.id).quarantined == 0)
            for _ in 0..<2 {
                stage.clock.advance(by: 11 * Self.minutes)
                try? await stage.service.look(at: mailbox)
            }
            let health = try await stage.store.health(of: mailbox.id)
            #expect(health.unreadable == 1 && health.failing == 0)
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(4).count == 4)
        }
    }

    @Test("a server that drops every connection as soon as it should give a mail condemns none")
    func outage() async throws {
        try await withServer { _ in
            nil
        } _: { server, stage, mailbox in
            try await stage.service.look(at: mailbox)
            server.change { $0.answer = { $0.contains("BODY") ? .close("") : nil } }
            for uid in 5...8 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
            for _ in 0..<20 {
                try? await stage.service.look(at: mailbox)
                stage.clock.advance(by: 30 * Self.minutes)
            }
            // It refuses all of them instead.
            server.change { $0.answer = { $0.contains("BODY") ? .text("%T NO [SERVERBUG] disk\r\n") : nil } }
            for _ in 0..<20 {
                try? await stage.service.look(at: mailbox)
                stage.clock.advance(by: 30 * Self.minutes)
            }
            #expect(try await stage.store.health(of: mailbox.id).quarantined == 0)
            server.change { $0.answer = { _ in nil } }
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(8).count == 8)
        }
    }

    @Test("a mailbox that is watched goes on beside a mail at which the connection drops")
    func watched() async throws {
        try await withServer {
            Self.body($0, .close(""))
        } _: { server, stage, mailbox in
            try await stage.watching {
                let first = try await stage.messages(3)
                #expect(first.count == 3)
                server.put(stage.mail("mail-5"), uid: 5)
                _ = stage.service.lookNow(at: mailbox.id)
                #expect(try await stage.messages(4).count == 4)
            }
            #expect(try await stage.store.health(of: mailbox.id).quarantined == 0)
        }
    }
}
