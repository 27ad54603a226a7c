import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Servers that will not move mails", .timeLimit(.minutes(10)))
struct RefusedAfterwardsTests {
    /// Three mails that became pins, of which the second one cannot be moved.
    private func withServer(
        _ answer: ScriptedIMAPServer.Answer,
        _ body: (ScriptedIMAPServer, MailboxStage, WatchedMailbox) async throws -> Void
    ) async throws {
        let server = try ScriptedIMAPServer()
        try await MailboxStage.open { stage in
            for uid in 1...3 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
            server.change { $0.answer = { ScriptedIMAPServer.isFor(2, $0, "UID MOVE ") ? answer : nil } }
            let mailbox = try await stage.addMailbox(port: server.port) { $0.afterwards = .move(folder: "Done") }
            try await stage.service.look(at: mailbox)
            let messages = try await stage.messages(3)
            _ = try await stage.store.takeAccepted(upTo: 5, now: .now)
            for message in messages { try await stage.pin(message) }
            try await body(server, stage, mailbox)
        }
    }

    private static func moves(at server: ScriptedIMAPServer) -> [String] {
        server.commands.filter { $0.hasPrefix("UID MOVE") }.map { String($0.dropFirst(9).prefix { $0 != " " }) }
    }

    @Test(
        "one mail that cannot be moved is tried again and given up visibly; its neighbours are moved at once",
        arguments: ["no such right", "[SERVERBUG] oops", "[LIMIT] too many", "[OVERQUOTA] full"])
    func refused(_ words: String) async throws {
        try await withServer(.text("%T NO \(words)\r\n")) { server, stage, mailbox in
            try await stage.service.look(at: mailbox)
            #expect(Self.moves(at: server) == ["1:3", "1", "2", "3"])
            // New mail is read meanwhile.
            server.put(stage.mail("mail-4"), uid: 4)
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(4).count == 4)
            #expect(Self.moves(at: server).count == 4)
            #expect(try await stage.store.quarantine(of: mailbox.id, newest: 9).map(\.kind) == [.unmoved])
            for _ in 0..<4 {
                stage.clock.advance(by: 601)
                try await stage.service.look(at: mailbox)
            }
            #expect(Self.moves(at: server) == ["1:3", "1", "2", "3", "2", "2"])
            let told = try await stage.store.quarantine(of: mailbox.id, newest: 9)
            #expect(told.map(\.uid) == [2] && told.first?.reason.contains(words) == true)
        }
    }

    @Test("a busy server is asked again later, as often as it is busy, and holds up no new mail")
    func busy() async throws {
        try await withServer(.text("%T NO [THROTTLED] later\r\n")) { server, stage, mailbox in
            for number in 0..<9 {
                server.put(stage.mail("new-\(number)"), uid: UInt32(10 + number))
                try await stage.service.look(at: mailbox)
                #expect(try await stage.messages(4 + number).count == 4 + number)
                stage.clock.advance(by: 60)
            }
            server.change { $0.answer = { _ in nil } }
            try await stage.service.look(at: mailbox)
            #expect(Set(Self.moves(at: server)).isSuperset(of: ["1", "2", "3"]))
            #expect(try await stage.store.quarantine(of: mailbox.id, newest: 9).isEmpty)
        }
    }

    @Test("a connection that drops at a move holds up neither new mail nor the other moves")
    func dropped() async throws {
        try await withServer(.close("")) { server, stage, mailbox in
            server.put(stage.mail("mail-4"), uid: 4)
            await #expect(throws: IMAPError.self) { try await stage.service.look(at: mailbox) }
            let first = try await stage.messages(4)
            #expect(first.count == 4)
            for _ in 0..<2 { try? await stage.service.look(at: mailbox) }
            #expect(Self.moves(at: server) == ["1:3", "1", "2", "3"])
        }
    }
}
