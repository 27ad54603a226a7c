import Glibc
import PinpostCore
import PinpostTesting
import Synchronization
import Testing

@testable import PinpostApp

@Suite("mailbox authorize", .timeLimit(.minutes(10)))
struct MailboxAuthorizeTests {
    @Test("a pasted address becomes a sealed refresh token, with PKCE, at once", arguments: Stage.Way.allCases)
    func paste(_ way: Stage.Way) async throws {
        let provider = try ProviderDouble()
        try await open(way, provider) { stage in
            try await provider.addMailbox(on: stage)
            let outcome = try await authorize(on: stage, provider) { url in
                "\(url["redirect_uri"] ?? "")?code=c%2F1&state=\(url["state"] ?? "")"
            }
            #expect(outcome.exit == .done, "\(outcome.errors)")
            let form = try #require(provider.forms.last)
            #expect(form["grant_type"] == "authorization_code" && form["code"] == "c%2F1")
            #expect(form["client_id"] == "me" && (form["code_verifier"]?.count ?? 0) == 43)
            let query = provider.asked
            #expect(query["code_challenge_method"] == "S256" && query["response_type"] == "code")
            #expect(query["redirect_uri"]?.hasPrefix("http%3A%2F%2F127.0.0.1%3A") == true)
            #expect(!(outcome.output + outcome.errors).contains("fresh-token"))
        }
    }

    @Test("the browser itself may bring the answer")
    func loopback() async throws {
        let provider = try ProviderDouble()
        try await open(.alone, provider) { stage in
            try await provider.addMailbox(on: stage)
            let outcome = try await authorize(on: stage, provider) { url in
                let port = url["redirect_uri"]?.split(separator: "A").last.flatMap { Int($0.prefix { $0.isNumber }) }
                provider.browse(port: port ?? 0, "/?state=\(url["state"] ?? "")&code=c")
                return nil
            }
            #expect(outcome.exit == .done, "\(outcome.errors)")
            #expect(provider.forms.last?["code"] == "c")
        }
    }

    @Test(
        "an answer to another request, a refusal, and one without a code store nothing",
        arguments: ["?code=c&state=other", "?error=access_denied&error_description=no%2C+never", "nonsense"])
    func refused(_ answer: String) async throws {
        let provider = try ProviderDouble()
        try await open(.alone, provider) { stage in
            try await provider.addMailbox(on: stage)
            let outcome = try await authorize(on: stage, provider) { _ in answer }
            #expect(outcome.exit == .notAllowed)
            if answer.contains("error") { #expect(outcome.errors.contains("access_denied: no, never")) }
            #expect(provider.forms.isEmpty)
        }
    }

    @Test("a provider that gives no refresh token is told of")
    func noRefreshToken() async throws {
        let provider = try ProviderDouble(refreshToken: nil)
        try await open(.alone, provider) { stage in
            try await provider.addMailbox(on: stage)
            let outcome = try await authorize(on: stage, provider) { "?code=c&state=\($0["state"] ?? "")" }
            #expect(outcome.exit == .notAllowed && outcome.errors.contains("refresh token"))
        }
    }

    /// A stage that may reach the provider.
    private func open(
        _ way: Stage.Way, _ provider: ProviderDouble, _ body: @escaping @Sendable (Stage) async throws -> Void
    ) async throws {
        try await Stage.open { stage in
            let stage = stage.with(["PINPOST_EGRESS_ALLOW": "127.0.0.1:\(provider.port)"])
            switch way {
            case .alone: try await body(stage)
            case .besideDaemon: try await stage.withDaemon { try await body(stage) }
            }
        }
    }

    private func authorize(
        on stage: Stage, _ provider: ProviderDouble, answer: @escaping @Sendable ([String: String]) -> String?
    ) async throws -> Stage.Outcome {
        let shown = Mutex("")
        let said: @Sendable () -> [String: String] = {
            let url = shown.withLock { $0 }.split(separator: "\n").first { $0.hasPrefix("http") } ?? ""
            return ProviderDouble.fields(url.drop { $0 != "?" }.dropFirst())
        }
        return try await stage.run(
            ["mailbox", "authorize", "inbox"],
            person: { console in
                let write = console.writeError
                console.writeError = { text in
                    shown.withLock { $0 += text }
                    write(text)
                }
                console.ask = { _ in
                    let url = said()
                    provider.note(url)
                    return answer(url)
                }
            })
    }
}

/// A provider's endpoints on loopback.
private final class ProviderDouble: Sendable {
    private struct State {
        var forms: [[String: String]] = []
        var asked: [String: String] = [:]
    }

    private let state: SharedState
    private let server: LoopbackServer

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    init(refreshToken: String? = "fresh-token") throws {
        let state = SharedState()
        self.state = state
        server = try LoopbackServer { request in
            state.value.withLock {
                $0.forms.append(Self.fields(Substring(String(decoding: request.body, as: UTF8.self))))
            }
            let token = refreshToken.map { ",\"refresh_token\":\"\($0)\"" } ?? ""
            return LoopbackServer.Reply(200, body: Array("{\"access_token\":\"a\",\"expires_in\":60\(token)}".utf8))
        }
    }

    var port: Int { server.port }
    var forms: [[String: String]] { state.value.withLock { $0.forms } }
    var asked: [String: String] { state.value.withLock { $0.asked } }
    func note(_ url: [String: String]) { state.value.withLock { $0.asked = url } }

    static func fields(_ text: Substring) -> [String: String] {
        Dictionary(
            text.split(separator: "&").map { pair in
                let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
                return (sides[0], sides.count > 1 ? sides[1] : "")
            }, uniquingKeysWith: { $1 })
    }

    func addMailbox(on stage: Stage) async throws {
        let outcome = try await stage.run(
            "mailbox", "add", "inbox", "--host", "127.0.0.1", "--user", "ada", "--oauth-client", "me",
            "--oauth-endpoint", "\(server.url)/token", "--oauth-authorize-endpoint", "\(server.url)/auth",
            "--oauth-scope", "mail offline")
        try #require(outcome.exit == .done, "\(outcome.errors)")
        #expect(outcome.errors.contains("mailbox authorize inbox"))
    }

    /// What the browser does when the person has agreed: it asks once, and the answer does not matter.
    func browse(port: Int, _ target: String) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let request = Array("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        _ = send(descriptor, request, request.count, CInt(MSG_NOSIGNAL))
    }
}
