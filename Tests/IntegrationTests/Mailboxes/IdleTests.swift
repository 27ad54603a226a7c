import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Synchronization
import Testing

@Suite("Waiting for mail at servers that do not wait", .timeLimit(.minutes(10)))
struct IdleTests {
    /// Watches until the folder was opened `count` times, then gives the commands.
    private func commands(
        of server: ScriptedIMAPServer, until beginning: String = "EXAMINE", count: Int = 4,
        _ change: @escaping (inout MailboxTimings) -> Void
    ) async throws -> [String] {
        try await MailboxStage.open(change) { stage in
            server.put(stage.mail("one"), uid: 1)
            try await stage.addMailbox(port: server.port)
            try await stage.watching {
                #expect(try await stage.messages(1).count == 1)
                _ = try await eventually({ $0 >= count }) { server.commands.count { $0.hasPrefix(beginning) } }
            }
        }
        return server.commands
    }

    @Test(
        "an IDLE that ends before it begins is not tried again", arguments: ["%T OK done\r\n", "+ x\r\n%T OK done\r\n"])
    func endsAtOnce(_ words: String) async throws {
        let server = try ScriptedIMAPServer()
        server.change { $0.answer = { $0 == "IDLE" ? .text(words) : nil } }
        let commands = try await commands(of: server, until: "NOOP", count: 5) { $0.noopInterval = .milliseconds(10) }
        #expect(commands.count { $0 == "IDLE" } == 1)
    }

    @Test("a number of mails that is told again is no news")
    func sameCount() async throws {
        let server = try ScriptedIMAPServer()
        server.change { $0.before = { $0 == "NOOP" ? "* 1 EXISTS\r\n" : nil } }
        let commands = try await commands(of: server) { $0.fullPoll = .milliseconds(50) }
        let opened = commands.count { $0.hasPrefix("EXAMINE") }
        #expect(commands.count { $0 == "IDLE" } <= opened)
    }

    @Test("one mail more is news, also after one that went")
    func oneMore() async throws {
        let server = try ScriptedIMAPServer()
        let isGone = Mutex(false)
        try await MailboxStage.open { stage in
            for uid in 1...2 { server.put(stage.mail("mail-\(uid)"), uid: UInt32(uid)) }
            server.change { script in
                script.before = { command in
                    guard command == "NOOP", isGone.withLock({ $0 }) else { return nil }
                    return "* 1 EXPUNGE\r\n* 2 EXISTS\r\n"
                }
            }
            let mailbox = try await stage.addMailbox(port: server.port)
            try await stage.watching {
                let first = try await stage.messages(2)
                #expect(first.count == 2)
                server.put(stage.mail("mail-3"), uid: 3)
                // Nothing but the server's word brings the next look; the bell alone ends the IDLE.
                isGone.withLock { $0 = true }
                _ = stage.service.lookNow(at: mailbox.id)
                #expect(try await stage.messages(3).count == 3)
            }
        }
    }

    @Test("a server that has news without end is not asked without end")
    func endlessNews() async throws {
        let server = try ScriptedIMAPServer()
        let count = Mutex(1)
        server.change { script in
            script.before = { command in
                guard command == "NOOP" else { return nil }
                return "* \(count.withLock { $0 += 1; return $0 }) EXISTS\r\n"
            }
        }
        try await MailboxStage.open {
            $0.looksAtOnce = 5
            $0.lookPause = .seconds(3_600)
        } _: { stage in
            server.put(stage.mail("one"), uid: 1)
            let mailbox = try await stage.addMailbox(port: server.port)
            try await stage.watching {
                let looks = try await eventually({ $0 == 5 }) { count.withLock { $0 } - 1 }
                #expect(looks == 5)
                #expect(server.commands.count { $0.contains("SEARCH") } == 6)
                // A person is not kept waiting.
                _ = stage.service.lookNow(at: mailbox.id)
                let more = try await eventually({ $0 > 6 }) { server.commands.count { $0.contains("SEARCH") } }
                #expect(more > 6)
            }
        }
    }

    @Test("a server that falls silent inside IDLE is found out and connected to anew")
    func halfOpen() async throws {
        let server = try ScriptedIMAPServer()
        var limits = IMAPLimits()
        limits.silence = .seconds(1)
        let change: (inout MailboxTimings) -> Void = { $0.idleRefresh = .milliseconds(50) }
        try await MailboxStage.open(change, limits: limits) { stage in
            server.put(stage.mail("one"), uid: 1)
            server.change { $0.answer = { $0 == "IDLE" ? .stall("+ idling\r\n") : nil } }
            let mailbox = try await stage.addMailbox(port: server.port)
            try await stage.watching {
                #expect(try await stage.messages(1).count == 1)
                _ = try await eventually({ $0 }) { server.commands.contains("IDLE") }
                // It comes while nobody can tell.
                server.put(stage.mail("two"), uid: 2)
                let health = try await eventually({ $0.lastError != nil }) {
                    try await stage.store.health(of: mailbox.id)
                }
                #expect(health.lastError?.contains("does not answer") == true)
                server.change { $0.answer = { _ in nil } }
                #expect(try await stage.messages(2).count == 2)
                #expect(server.commands.count { $0.hasPrefix("LOGIN") } > 1)
            }
        }
    }
}
