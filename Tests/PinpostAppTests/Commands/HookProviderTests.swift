import FoundationEssentials
import PinpostCore
import PinpostTesting
import Synchronization
import Testing

@testable import PinpostApp

@Suite("Hooks of providers, by command line", .timeLimit(.minutes(10)))
struct HookProviderTests {
    /// Telegram's API as far as `hook add` asks it.
    private final class API: Sendable {
        let calls = Mutex<[(target: String, body: String)]>([])
        let knowsToken = Mutex(true)
    }

    private func withTelegram(_ body: @Sendable (Stage, LoopbackServer, API) async throws -> Void) async throws {
        let api = API()
        let server = try LoopbackServer { request in
            api.calls.withLock { $0.append((request.target, String(decoding: request.body, as: UTF8.self))) }
            guard api.knowsToken.withLock({ $0 }) else {
                return LoopbackServer.Reply(401, body: Array(#"{"ok":false,"description":"Unauthorized"}"#.utf8))
            }
            return LoopbackServer.Reply(200, body: Array(#"{"ok":true}"#.utf8))
        }
        defer { server.stop() }
        try await Stage.open { stage in
            let stage = stage.with([
                "PINPOST_EGRESS_ALLOW": "127.0.0.1:\(server.port)", "PINPOST_PUBLIC_URL": "https://in.example",
            ])
            let added = try await stage.run(
                ["tenant", "add", "ada", "--server", stage.pinry.url, "--token-file", "-", "--allow-private"],
                input: Array("ada-token".utf8))
            try #require(added.exit == .done, "\(added.errors)")
            try await body(stage, server, api)
        }
    }

    @Test("hook add telegram makes the secret, sets the webhook, and shows neither secret nor bot token again")
    func telegram() async throws {
        try await withTelegram { stage, server, api in
            let added = try await stage.run(
                ["hook", "add", "telegram", "--token-file", "-", "--api-base", server.url, "--allow", "7", "--json"],
                input: Array("123:bot-token\n".utf8))
            try #require(added.exit == .done, "\(added.errors)")
            let calls = api.calls.withLock { $0 }
            #expect(calls.map(\.target) == ["/bot123:bot-token/getMe", "/bot123:bot-token/setWebhook"])
            let registered = try #require(calls.last?.body)
            #expect(
                registered.contains("\"url\":\"https://in.example/v1/hooks/") && registered.contains("callback_query"))
            let id = try #require(added.output.split(separator: "\"id\":\"").last?.prefix { $0 != "\"" })
            let shown = try await stage.run(["hook", "show", "ada", String(id), "--json"])
            #expect(shown.output.contains("\"allowed\":[\"7\"]") && shown.output.contains("\"has_secret\":true"))
            let secret = try #require(registered.split(separator: "\"secret_token\":\"").last?.prefix { $0 != "\"" })
            for text in [shown.output, added.output, added.errors] {
                #expect(!text.contains("bot-token") && !text.contains(secret))
            }
            let changed = try await stage.run([
                "hook", "set", "ada", String(id), "--allow", "8", "--allow", "9", "--json",
            ])
            #expect(
                changed.output.contains("\"allowed\":[\"8\",\"9\"]") && changed.output.contains("\"has_token\":true"))
            let rotated = try await stage.run(["hook", "rotate", "ada", String(id)])
            #expect(rotated.exit == .done && api.calls.withLock { $0.count } == 4)
        }
    }

    @Test("a hook that the provider refuses is not kept, and its words are told")
    func refused() async throws {
        try await withTelegram { stage, server, api in
            api.knowsToken.withLock { $0 = false }
            let added = try await stage.run(
                ["hook", "add", "ada", "--provider", "telegram", "--token-file", "-", "--api-base", server.url],
                input: Array("123:wrong".utf8))
            #expect(added.exit != .done && added.errors.contains("Unauthorized") && !added.errors.contains("123:wrong"))
            #expect(try await stage.run(["hook", "list", "ada"]).output.contains("There is no hook yet"))
        }
    }

    @Test(
        "what a provider needs is asked for before anything is stored",
        arguments: [
            (["--provider", "slack"], "--secret-file"), (["--provider", "nobody"], "not one of"),
            (["--provider", "telegram"], "--token-file"),
        ])
    func needs(_ flags: [String], _ words: String) async throws {
        try await withTelegram { stage, _, _ in
            let added = try await stage.run(["hook", "add", "ada"] + flags)
            #expect(added.exit == .usage && added.errors.contains(words), "\(added.errors)")
        }
    }

    @Test("an empty secret is refused")
    func emptySecret() async throws {
        try await withTelegram { stage, _, _ in
            let token = try stage.file("token", Array("xoxb-1".utf8))
            let added = try await stage.run(
                ["hook", "add", "ada", "slack", "--token-file", token, "--secret-file", "-"], input: Array(" \n".utf8))
            #expect(added.exit != .done && added.errors.contains("empty"), "\(added.errors)")
            #expect(try await stage.run(["hook", "list", "ada"]).output.contains("There is no hook yet"))
        }
    }
}
