import Cryptography
import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Synchronization
import Testing

@Suite("Logging in to mailboxes", .timeLimit(.minutes(10)))
struct LoginTests {
    @Test("a refused login is tried three times, then a person is asked, with the server's words and a remedy")
    func refused() async throws {
        let server = try ScriptedIMAPServer()
        server.change { $0.login = "NO Basic authentication is disabled." }
        try await MailboxStage.open { stage in
            let mailbox = try await stage.addMailbox(port: server.port)
            try await stage.watching {
                let health = try await eventually({ $0.stoppedReason != nil }) {
                    try await stage.store.health(of: mailbox.id)
                }
                let reason = try #require(health.stoppedReason)
                #expect(reason.contains("Basic authentication is disabled") && reason.contains("OAuth2"))
                #expect(server.commands.count { $0.hasPrefix("LOGIN") } == 3)
                // A person has acted.
                server.change { $0.login = "OK" }
                server.put(stage.mail("one"), uid: 1)
                try await stage.store.update(mailbox)
                #expect(try await stage.messages(1).count == 1)
            }
        }
    }

    @Test("a busy server is asked again and again, and the mailbox goes on")
    func busy() async throws {
        let server = try ScriptedIMAPServer()
        server.change { $0.login = "NO [UNAVAILABLE] too many connections" }
        try await MailboxStage.open { stage in
            server.put(stage.mail("one"), uid: 1)
            let mailbox = try await stage.addMailbox(port: server.port)
            try await stage.watching {
                let tries = try await eventually({ $0 > 4 }) { server.commands.count { $0.hasPrefix("LOGIN") } }
                #expect(tries > 4)
                #expect(try await stage.store.health(of: mailbox.id).stoppedReason == nil)
                server.change { $0.login = "OK" }
                #expect(try await stage.messages(1).count == 1)
            }
        }
    }

    @Test("broken, slow and silent mailboxes do not slow the others")
    func independent() async throws {
        let (good, refusing, silent) = (
            try ScriptedIMAPServer(), try ScriptedIMAPServer(), try ScriptedIMAPServer()
        )
        refusing.change { $0.greeting = "* BYE no" }
        silent.change { $0.answer = { _ in .stall("") } }
        // Whoever waited for one of them would wait longer than this test does.
        var limits = IMAPLimits()
        (limits.login, limits.silence) = (.seconds(3_600), .seconds(3_600))
        try await MailboxStage.open(limits: limits) { stage in
            good.put(stage.mail("one"), uid: 1)
            for number in 0..<20 { try await stage.addMailbox("bad-\(number)", port: refusing.port) }
            for number in 0..<5 { try await stage.addMailbox("silent-\(number)", port: silent.port) }
            try await stage.addMailbox("z-good", port: good.port)
            try await stage.watching {
                let messages = try await stage.messages(1)
                #expect(messages.count == 1)
            }
        }
    }

    @Test("OAuth2: an access token is got, and a rotated refresh token is on disk before it is needed")
    func oauth() async throws {
        let server = try ScriptedIMAPServer()
        server.change { script in
            script.capabilities = "IMAP4rev1 AUTH=XOAUTH2 SASL-IR"
        }
        let forms = Mutex<[String]>([])
        let endpoint = try LoopbackServer { request in
            let number = forms.withLock { forms in
                forms.append(String(decoding: request.body, as: UTF8.self))
                return forms.count
            }
            let answer = "{\"access_token\":\"at-\(number)\",\"expires_in\":60,\"refresh_token\":\"rt-\(number)\"}"
            return LoopbackServer.Reply(200, [("Content-Type", "application/json")], body: Array(answer.utf8))
        }
        try await MailboxStage.open(mayReach: endpoint) { stage in
            server.put(stage.mail("one"), uid: 1)
            let mailbox = try await stage.addMailbox(port: server.port, password: "rt-0 &") { settings in
                settings.oauth = OAuthClient(tokenEndpoint: endpoint.url + "/token", clientID: "c", scope: "s t")
            }
            try await stage.service.look(at: mailbox)
            #expect(try await stage.messages(1).count == 1)
            #expect(
                forms.withLock { $0 } == ["client_id=c&grant_type=refresh_token&refresh_token=rt-0%20%26&scope=s%20t"])
            let stored = try #require(try await stage.store.mailboxes().first)
            try await stage.service.look(at: stored)
            #expect(forms.withLock { $0.last?.contains("refresh_token=rt-1&") } == true)
            #expect(server.commands.contains { $0.hasPrefix("AUTHENTICATE XOAUTH2") })
        }
    }

    @Test("OAuth2: a mailbox that nobody has authorized yet stops with the verb that does it, and asks nobody")
    func notAuthorized() async throws {
        let server = try ScriptedIMAPServer()
        let asked = Mutex(0)
        let endpoint = try LoopbackServer { _ in
            asked.withLock { $0 += 1 }
            return LoopbackServer.Reply(400)
        }
        try await MailboxStage.open(mayReach: endpoint) { stage in
            let mailbox = try await stage.addMailbox("family", port: server.port, password: "") { settings in
                settings.oauth = OAuthClient(tokenEndpoint: endpoint.url + "/token", clientID: "c", scope: nil)
            }
            try await stage.watching {
                let health = try await eventually({ $0.stoppedReason != nil }) {
                    try await stage.store.health(of: mailbox.id)
                }
                #expect(health.stoppedReason?.contains("pinpost mailbox authorize family") == true)
            }
        }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test("TLS to a port without it is told with what to change, and so is a server that is not there")
    func wrongPort() async throws {
        let server = try ScriptedIMAPServer()
        try await MailboxStage.open { stage in
            func words(_ port: Int, _ encryption: MailboxSettings.Encryption) async throws -> String {
                let mailbox = try await stage.addMailbox("m\(port)\(encryption)", port: port) {
                    $0.encryption = encryption
                }
                do {
                    try await stage.service.look(at: mailbox)
                    return "no error"
                } catch {
                    return String(describing: error)
                }
            }
            let tls = try await words(server.port, .tls)
            #expect(
                tls.contains("127.0.0.1:\(server.port) does not speak TLS") && tls.contains("--encryption starttls"))
            let upgrade = try await words(server.port, .starttls)
            #expect(upgrade.contains("offers no STARTTLS") && upgrade.contains("--encryption tls"), "\(upgrade)")
            #expect(try await words(1, .none).contains("127.0.0.1:1"))
        }
    }

    @Test("OAuth2: a dead refresh token stops the mailbox with the endpoint's words")
    func deadToken() async throws {
        let server = try ScriptedIMAPServer()
        let endpoint = try LoopbackServer { _ in
            LoopbackServer.Reply(
                400, body: Array("{\"error\":\"invalid_grant\",\"error_description\":\"expired\"}".utf8))
        }
        try await MailboxStage.open(mayReach: endpoint) { stage in
            let mailbox = try await stage.addMailbox(port: server.port) { settings in
                settings.oauth = OAuthClient(tokenEndpoint: endpoint.url, clientID: "c")
            }
            try await stage.watching {
                let health = try await eventually({ $0.stoppedReason != nil }) {
                    try await stage.store.health(of: mailbox.id)
                }
                #expect(health.stoppedReason?.contains("invalid_grant: expired") == true)
                #expect(server.commands.isEmpty)
            }
        }
    }
}
