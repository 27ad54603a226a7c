import Cryptography
import FoundationEssentials
import PinpostCore
import StoreSQLite
import Testing
import Web

@Suite("The tokens of a hook", .timeLimit(.minutes(10)))
struct HookTokenTests {
    private let link = #"{"url":"https://example.org/a.jpg"}"#

    private func set(_ ports: ServiceFixture, _ change: (inout Hook) -> Void) async throws {
        var hook = try #require(try await ports.store.hook(Hook.ID("hook1")))
        change(&hook)
        try await ports.store.update(hook)
    }

    @Test("are refused like wrong ones once they have expired")
    func expiry() async throws {
        try await withService { server, ports in
            let request = Request.json("/v1/hooks/hook1", token: ports.token.shown, link)
            try await set(ports) { $0.settings.expiresAt = ServiceFixture.noon + 1 }
            #expect(try await server.status(request) == 202)
            let message = try #require(try await ports.received().first)
            try await set(ports) { $0.settings.expiresAt = ServiceFixture.noon }
            let late = try #require(try await server.send(request))
            let wrong = try #require(
                try await server.send(.json("/v1/hooks/hook1", token: ports.otherToken.shown, link)))
            #expect(late.status == 401 && late.body == wrong.body)
            let status = try await server.status(.get("/v1/messages/\(message.id)", token: ports.token.shown))
            #expect(status == 404)
            #expect(try await ports.received().count == 1)
        }
    }

    @Test("open only what they are for")
    func scopes() async throws {
        try await withService { server, ports in
            let request = Request.json("/v1/hooks/hook1", token: ports.token.shown, link)
            try await set(ports) { $0.settings.scopes = [.send] }
            #expect(try await server.status(request) == 202)
            let message = try #require(try await ports.received().first)
            let path = "/v1/messages/\(message.id)"
            #expect(try await server.status(.get(path, token: ports.token.shown)) == 404)
            try await set(ports) { $0.settings.scopes = [.status] }
            #expect(try await server.status(.get(path, token: ports.token.shown)) == 200)
            #expect(try await server.status(request) == 403)
            #expect(try await ports.received().count == 1)
        }
    }

    @Test("are two at a time while they are rotated")
    func rotation() async throws {
        try await withService { server, ports in
            try await set(ports) { $0.tokens.append(Hook.Token(hash: ports.otherToken.hash)) }
            for token in [ports.token, ports.otherToken] {
                let status = try await server.status(.json("/v1/hooks/hook1", token: token.shown, link))
                #expect(status == 202)
            }
            try await set(ports) { $0.tokens.removeFirst() }
            let old = try await server.status(.json("/v1/hooks/hook1", token: ports.token.shown, link))
            #expect(old == 401)
        }
    }

    @Test("have an end and a purpose of their own, within those of the hook")
    func limits() async throws {
        try await withService { server, ports in
            try await set(ports) {
                $0.tokens[0].limits.expiresAt = ServiceFixture.noon
                $0.tokens.append(Hook.Token(hash: ports.otherToken.hash, limits: TokenLimits(scopes: [.send])))
            }
            let old = try await server.status(.json("/v1/hooks/hook1", token: ports.token.shown, link))
            #expect(old == 401)
            let new = Request.json("/v1/hooks/hook1", token: ports.otherToken.shown, link)
            #expect(try await server.status(new) == 202)
            let message = try #require(try await ports.received().first)
            let path = "/v1/messages/\(message.id)"
            #expect(try await server.status(.get(path, token: ports.otherToken.shown)) == 404)
            try await set(ports) { $0.tokens[1].limits.scopes = [.status] }
            #expect(try await server.status(new) == 403)
            #expect(try await server.status(.get(path, token: ports.otherToken.shown)) == 200)
            try await set(ports) { $0.settings.scopes = [.send] }
            #expect(try await server.status(.get(path, token: ports.otherToken.shown)) == 404)
        }
    }

    @Test("leave the time of their last use, wrong ones do not")
    func lastUse() async throws {
        try await withService { server, ports in
            _ = try await server.status(.json("/v1/hooks/hook2", token: ports.token.shown, link))
            #expect(try await ports.store.lastUses(ofHooksOf: ports.tenant.id).isEmpty)
            _ = try await server.status(.json("/v1/hooks/hook1", token: ports.token.shown, link))
            let uses = try await ports.store.lastUses(ofHooksOf: ports.tenant.id)
            #expect(uses == [Hook.ID("hook1"): ServiceFixture.noon])
        }
    }
}
