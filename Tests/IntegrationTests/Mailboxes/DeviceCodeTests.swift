import CurlKit
import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Synchronization
import Testing

@Suite("A code typed on another machine", .timeLimit(.minutes(10)))
struct DeviceCodeTests {
    private struct Answers {
        var waiting: [String]
        var forms: [String] = []
    }

    private final class Provider: Sendable {
        let answers: Mutex<Answers>
        init(_ waiting: [String]) { answers = Mutex(Answers(waiting: waiting)) }

        func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
            if request.target == "/device" {
                return LoopbackServer.Reply(
                    200,
                    body: Array(
                        """
                        {"device_code":"dc","user_code":"WDJB-MJHT","verification_uri":"https://x.example/d",
                        "interval":2,"expires_in":60}
                        """.utf8))
            }
            let next = answers.withLock { answers in
                answers.forms.append(String(decoding: request.body, as: UTF8.self))
                return answers.waiting.isEmpty ? nil : answers.waiting.removeFirst()
            }
            guard let next else {
                return LoopbackServer.Reply(
                    200, body: Array(#"{"access_token":"a","refresh_token":"fresh","expires_in":60}"#.utf8))
            }
            return LoopbackServer.Reply(400, body: Array(#"{"error":"\#(next)"}"#.utf8))
        }
    }

    private func run(
        _ waiting: [String], _ check: (MailboxStage, [TimeInterval], [String], (any Error)?) async throws -> Void
    ) async throws {
        let provider = Provider(waiting)
        let server = try LoopbackServer { provider.answer($0) }
        try await MailboxStage.open(mayReach: server) { stage in
            let mailbox = try await stage.addMailbox(port: 1, password: "old") { settings in
                settings.oauth = OAuthClient(
                    tokenEndpoint: server.url + "/token", clientID: "c", scope: "s",
                    deviceEndpoint: server.url + "/device")
            }
            let authorization = try MailboxAuthorization(of: mailbox, stage.ports)
            let code = try await authorization.beginDevice()
            #expect(code.userCode == "WDJB-MJHT" && code.page == "https://x.example/d")
            var pauses: [TimeInterval] = []
            var failure: (any Error)?
            do {
                try await code.wait(sleep: { pauses.append($0) }) {
                    try await authorization.redeem(device: code.secret)
                }
            } catch {
                failure = error
            }
            try await check(stage, pauses, provider.answers.withLock { $0.forms }, failure)
        }
    }

    @Test("is asked for as slowly as the provider wants, and its token is stored sealed")
    func granted() async throws {
        try await run(["authorization_pending", "slow_down", "authorization_pending"]) {
            stage, pauses, forms, failure in
            #expect(failure == nil)
            #expect(pauses == [2, 2, 7, 7])
            #expect(
                forms.last
                    == "client_id=c&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=dc")
            let stored = try #require(try await stage.store.mailboxes().first)
            #expect(try stage.opened(stored.secret, of: stored) == "fresh")
        }
    }

    @Test(
        "a refusal ends it, and so does time", arguments: ["access_denied", "expired_token", "authorization_pending"])
    func refused(_ word: String) async throws {
        try await run(Array(repeating: word, count: 100)) { stage, pauses, _, failure in
            #expect((failure as? IMAPError)?.code == .loginRefused)
            #expect(pauses.count == (word == "authorization_pending" ? 30 : 1))
            let stored = try #require(try await stage.store.mailboxes().first)
            #expect(try stage.opened(stored.secret, of: stored) == "old")
        }
    }
}
