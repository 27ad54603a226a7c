import Cryptography
import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("What happens to mails afterwards", .enabled(if: Dovecot.isAvailable), .timeLimit(.minutes(10)))
struct AfterwardsTests {
    /// Three mails, of which one becomes a pin, one is parked and one is for nobody.
    ///
    /// `check` sees the server afterwards.
    private func run(
        without: [String] = [], _ change: (inout MailboxSettings) -> Void,
        _ check: (Dovecot) async throws -> Void
    ) async throws {
        let dovecot = try await Dovecot(Dovecot.Options(without: without))
        try await MailboxStage.open { stage in
            dovecot.deliver(stage.mail("good"))
            dovecot.deliver(stage.mail("bad"))
            dovecot.deliver(Array("Subject: for nobody\n\nx\n".utf8))
            let mailbox = try await stage.addMailbox(port: dovecot.port, change)
            try await stage.watching {
                let messages = try await stage.messages(2)
                try #require(messages.count == 2)
                // Nothing happens before both are final.
                #expect(dovecot.mails().count == 3)
                _ = try await stage.store.takeAccepted(upTo: 5, now: .now)
                for message in messages {
                    let isGood = try await stage.body(of: message).contains("good@")
                    if isGood {
                        try await stage.pin(message)
                    } else {
                        try await stage.store.park(message.id, reason: "unreadable", now: .now)
                    }
                }
                let isUnfinished = try await eventually({ !$0 }) {
                    try await stage.store.hasUnfinished(in: mailbox.id)
                }
                #expect(!isUnfinished)
                try await check(dovecot)
            }
            for _ in 0..<2 { try await stage.service.look(at: mailbox) }
            #expect(try await stage.messages(2).count == 2)
        }
    }

    @Test("moved, by MOVE, by COPY and UID EXPUNGE, and never by a plain EXPUNGE", arguments: [[], ["MOVE"]])
    func moved(_ without: [String]) async throws {
        try await run(without: without) { settings in
            settings.afterwards = .move(folder: "Pinned & done")
            settings.failureFolder = "Failed"
        } _: { dovecot in
            #expect(dovecot.mails(in: "Pinned &- done").count == 1)
            #expect(dovecot.mails(in: "Failed").count == 1)
            #expect(dovecot.mails().count == 1)
        }
    }

    @Test("without UIDPLUS a moved mail stays, marked as deleted")
    func withoutUIDPlus() async throws {
        try await run(without: ["MOVE", "UIDPLUS"]) {
            $0.afterwards = .move(folder: "Done")
        } _: { dovecot in
            #expect(dovecot.mails(in: "Done").count == 1)
            #expect(dovecot.mails().count == 3)
            #expect(dovecot.mails().count { $0.split(separator: ",").last?.contains("T") == true } == 1)
        }
    }

    @Test("marked with a keyword of their own, each by what became of it")
    func marked() async throws {
        try await run {
            $0.afterwards = .mark
        } _: { dovecot in
            #expect(Set(dovecot.keywords()) == ["$Pinned", "$PinFailed"])
            #expect(dovecot.mails().count { $0.contains(":2,a") || $0.contains(":2,b") } == 2)
        }
    }

    @Test("deleted, but never what could not be pinned and what is nobody's")
    func deleted() async throws {
        try await run {
            $0.afterwards = .delete
        } _: { dovecot in
            #expect(dovecot.mails().count == 2)
        }
    }
}

extension MailboxStage {
    func body(of message: Message) async throws -> String {
        let body = try #require(message.body)
        return String(decoding: try store.open(body).read(upTo: 1 << 20), as: UTF8.self)
    }
}
