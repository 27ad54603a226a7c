import Cryptography
import PinpostCore
import StoreSQLite
import Testing

@testable import Web

@Suite("The limits of a provider's hook", .timeLimit(.minutes(10)))
struct ProviderLimitTests {
    private static let secret = "s3cret"

    /// Of a proxy's client, with `100 Continue` as the sign that the body is awaited.
    private static func request(from client: String, token: HookToken? = nil) -> Request {
        Request.json("/v1/hooks/chat", token: token?.shown, #"{"a":"\#(String(repeating: "x", count: 60_000))"}"#)
            .with("X-Forwarded-For", client).with("Expect", "100-continue")
    }

    private static func limits() throws -> RequestLimits {
        var limits = RequestLimits()
        limits.trustedProxies = [try #require(AddressRange("127.0.0.0/8"))]
        limits.bodiesPerHook = 1
        limits.unprovenBodiesPerHookAndAddress = 2
        return limits
    }

    private static func addHook(_ provider: String, to ports: ServiceFixture) async throws {
        let secret = try PlainKeeper().seal(
            Secret(copying: Array(Self.secret.utf8)), for: .hookSecret, of: ports.tenant.id)
        try await ports.store.add(
            Hook(
                id: .init("chat"), tenant: ports.tenant.id, provider: provider, tokenHashes: [ports.token.hash],
                defaults: EntranceDefaults(), createdAt: ServiceFixture.noon, secret: secret))
    }

    @Test(
        "give no place of it to whoever knows its address: bodies without proof count for their own client",
        arguments: ["slack", "discord", "line", "twilio", "mattermost", "rocketchat", "whatsapp"])
    func unproven(provider: String) async throws {
        try await withService(limits: Self.limits()) { server, ports in
            try await Self.addHook(provider, to: ports)
            try await server.withClient { first in
                let second = try RawClient(port: server.listener.port)
                let stranger = Self.request(from: "203.0.113.5")
                for status in [try started(first, stranger), try started(second, stranger)] { #expect(status == 100) }
                let (third, own) = (try once(server, stranger), try once(server, Self.request(from: "198.51.100.1")))
                #expect(third != 100 && own == 100)
            }
        }
    }

    @Test("keep nobody waiting who would not come again, however many of his bodies are on their way")
    func proven() async throws {
        try await withService(limits: Self.limits()) { server, ports in
            try await Self.addHook("signal", to: ports)
            let request = Self.request(from: "203.0.113.5", token: ports.token)
            try await server.withClient { first in
                let second = try RawClient(port: server.listener.port)
                let third = try RawClient(port: server.listener.port)
                let statuses = [
                    try started(first, request), try started(second, request), try started(third, request),
                ]
                #expect(statuses == [100, 100, 100])
            }
        }
    }

    @Test("count the requests that were the provider's, not those that somebody made up")
    func rate() async throws {
        var limits = try Self.limits()
        limits.perHook = Rate(perSecond: 0.001, burst: 1)
        try await withService(limits: limits) { server, ports in
            try await Self.addHook("whatsapp", to: ports)
            for _ in 0..<3 { #expect(try await server.status(Self.message(signed: "0000")) == 401) }
            #expect(try await ports.store.lastUses(ofHooksOf: ports.tenant.id).isEmpty)
            let right = try Self.message(signed: nil)
            #expect(try await server.status(right) == 200)
            #expect(try await ports.received().count == 1)
            #expect(try await server.status(right) == 429)
        }
    }

    @Test("charge their tenant once for each message, and are told to come again where they do")
    func bytes() async throws {
        var limits = RequestLimits()
        limits.bytesPerTenantAndDay = 350
        try await withService(limits: limits) { server, ports in
            try await Self.addHook("whatsapp", to: ports)
            var statuses: [Int?] = []
            for number in [1, 1, 1, 2, 3] {
                statuses.append(try await server.status(Self.message(signed: nil, id: "wamid.\(number)")))
            }
            #expect(statuses == [200, 200, 200, 200, 429])
            #expect(try await ports.received().count == 2)
        }
    }

    @Test("are charged and still taken where the message would be lost")
    func bytesOfChats() async throws {
        var limits = RequestLimits()
        limits.bytesPerTenantAndDay = 40
        try await withService(limits: limits) { server, ports in
            try await Self.addHook("signal", to: ports)
            for time in 1...2 {
                let body =
                    #"{"account":"+1","envelope":{"sourceNumber":"+2","timestamp":\#(time),"#
                    + #""dataMessage":{"timestamp":\#(time),"message":"https://example.org/a.jpg"}}}"#
                #expect(try await server.status(.json("/v1/hooks/chat", token: ports.token.shown, body)) == 200)
            }
            #expect(try await ports.received().count == 2)
            let generic = Request.json(
                "/v1/hooks/hook1", token: ports.token.shown, #"{"url":"https://example.org/a.jpg"}"#)
            #expect(try await server.status(generic) == 429)
        }
    }

    /// A message of WhatsApp; without a signature it gets the right one.
    private static func message(signed signature: String?, id: String = "wamid.1") throws -> Request {
        let body =
            #"{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"1"},"messages":"#
            + #"[{"from":"2","id":"\#(id)","type":"text","text":{"body":"https://example.org/a.jpg"}}]}}]}]}"#
        let code = Array(body.utf8).withUnsafeBytes { message in
            Array(secret.utf8).withUnsafeBytes { HMAC.code(of: message, key: $0) }
        }
        let hex = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return Request.json("/v1/hooks/chat", body).with("X-Hub-Signature-256", "sha256=\(signature ?? hex)")
    }
}
