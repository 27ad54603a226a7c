import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Our place in a folder", .timeLimit(.minutes(10)))
struct PlaceTests {
    @Test("a folder that was made anew under the same number, or without any, is read again", arguments: [nil, 1])
    func recreated(_ validity: UInt32?) async throws {
        let server = try ScriptedIMAPServer()
        server.change { $0.uidValidity = validity }
        try await MailboxStage.open { stage in
            for uid in 1...4 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
            let mailbox = try await stage.addMailbox(port: server.port)
            try await stage.service.look(at: mailbox)
            server.removeAll()
            server.put(stage.mail("mail-4"), uid: 1)
            server.put(stage.mail("mail-5"), uid: 2)
            for _ in 0..<2 { try await stage.service.look(at: mailbox) }
            #expect(try await stage.messages(5).count == 5)
            #expect(try await stage.store.position(of: mailbox.id)?.nextUID == 3)
        }
    }

    @Test("a person who asks for a look has the folder opened anew")
    func asked() async throws {
        let server = try ScriptedIMAPServer()
        try await MailboxStage.open { stage in
            for uid in 1...2 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
            let mailbox = try await stage.addMailbox(port: server.port)
            try await stage.watching {
                let first = try await stage.messages(2)
                #expect(first.count == 2)
                server.removeAll()
                server.put(stage.mail("mail-3"), uid: 1)
                _ = try await eventually({ $0 }) { server.commands.contains("IDLE") }
                _ = stage.service.lookNow(at: mailbox.id)
                #expect(try await stage.messages(3).count == 3)
            }
        }
    }

    @Test("a UIDNEXT that the mails belie, or a UIDVALIDITY that is missing once, reads nothing again")
    func lyingNext() async throws {
        let server = try ScriptedIMAPServer()
        try await MailboxStage.open { stage in
            for uid in 1...4 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
            let mailbox = try await stage.addMailbox(port: server.port)
            try await stage.service.look(at: mailbox)
            server.change { $0.uidNext = { _ in 2 } }
            try await stage.service.look(at: mailbox)
            server.change { $0.uidValidity = nil }
            try await stage.service.look(at: mailbox)
            #expect(server.commands.count { $0.contains("BODY.PEEK") } == 1)
        }
    }

    @Test("a number of which the server knows nothing moves us nowhere", arguments: [4_000_000_000, UInt32.max])
    func bogus(_ uid: UInt32) async throws {
        let server = try ScriptedIMAPServer()
        try await MailboxStage.open { stage in
            for uid in 1...4 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
            server.change { script in
                script.answer = { command in
                    command.hasPrefix("UID SEARCH") && command.contains(":*")
                        ? .text("* SEARCH 1 2 3 4 \(uid)\r\n%T OK searched\r\n") : nil
                }
            }
            let mailbox = try await stage.addMailbox(port: server.port)
            for _ in 0..<3 { try await stage.service.look(at: mailbox) }
            #expect(server.commands.count { $0.contains("BODY.PEEK[])") } == 1)
            server.change { $0.answer = { _ in nil } }
            server.put(stage.mail("mail-5"), uid: 5)
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(5).count == 5)
            #expect(try await stage.store.position(of: mailbox.id)?.nextUID == 6)
            #expect(try await stage.store.quarantine(of: mailbox.id, newest: 9).isEmpty)
        }
    }

    @Test("a mailbox for new mail alone never takes what was there before it, whatever happens to the folder")
    func newOnly() async throws {
        let server = try ScriptedIMAPServer()
        server.change { script in
            script.uidNext = { _ in nil }
            // By the server's clock, mail 4 and those after it have come since.
            script.arrival = { $0 < 4 ? "31-Dec-2019 23:59:59 +0000" : "31-Dec-2099 23:59:59 +0000" }
        }
        try await MailboxStage.open { stage in
            for uid in 1...3 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
            let mailbox = try await stage.addMailbox(port: server.port) { $0.newOnly = true }
            try await stage.service.look(at: mailbox)
            #expect(!server.commands.contains { $0.contains("BODY.PEEK") })
            server.put(stage.mail("mail-4"), uid: 4)
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(1).count == 1)
            // What came in between, and a mail whose arrival was forgotten.
            server.change { $0.uidValidity = 99 }
            server.put(stage.mail("mail-5"), uid: 5)
            server.put(Array("Date: Sun, 1 Jan 2017 00:00:00 +0000\r\n".utf8) + stage.mail("mail-6"), uid: 6)
            // The line breaks while it is told when they came: all are asked for alone.
            server.change { $0.answer = { $0.contains("INTERNALDATE") ? .close("") : nil } }
            try? await stage.service.look(at: mailbox)
            server.change { $0.answer = { _ in nil } }
            for _ in 0..<2 { try await stage.service.look(at: mailbox) }
            #expect(try await stage.messages(2).count == 2)
            let told = try await stage.store.quarantine(of: mailbox.id, newest: 9)
            #expect(told.map(\.uid) == [6] && told.first?.reason.contains("older than the mailbox") == true)
            // A mail that a person moves here is new, however old it is.
            server.change { $0.arrival = { _ in "31-Dec-2019 23:59:59 +0000" } }
            server.put(Array("Date: Sun, 1 Jan 2017 00:00:00 +0000\r\n".utf8) + stage.mail("mail-7"), uid: 7)
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(3).count == 3)
        }
    }

    @Test("a server that does not tell when old mails came has them left alone, for a person to see")
    func unknownArrival() async throws {
        let server = try ScriptedIMAPServer()
        server.change { $0.arrival = { _ in nil } }
        try await MailboxStage.open { stage in
            server.put(stage.mail("mail-1"), uid: 1)
            let mailbox = try await stage.addMailbox(port: server.port) { $0.newOnly = true }
            try await stage.service.look(at: mailbox)
            server.change { $0.uidValidity = 99 }
            try await stage.service.look(at: mailbox)
            #expect(try await stage.store.messages(of: stage.tenants[0].id, newest: 5).isEmpty)
            #expect(try await stage.store.quarantine(of: mailbox.id, newest: 9).map(\.kind) == [.leftAlone])
        }
    }
}
