import FoundationEssentials
import PinpostCore
import StoreSQLite
import Testing

@testable import Web

@Suite("The client's address")
struct ClientAddressTests {
    private func client(
        _ peer: String, _ forwarded: [String], by name: String = "x-forwarded-for", trusting proxies: [String]
    ) -> NetworkAddress? {
        let head = RequestTarget("/").map {
            RequestHead(method: "POST", target: $0, fields: forwarded.map { .init(name, $0) }, peer: peer)
        }
        return head.flatMap { ClientAddress.of($0, trusting: proxies.compactMap { AddressRange($0) }) }
    }

    @Test("is the peer's, whatever an untrusted peer writes")
    func untrusted() {
        #expect(client("192.0.2.1", ["198.51.100.7"], trusting: []) == NetworkAddress("192.0.2.1"))
        #expect(client("192.0.2.1", ["198.51.100.7"], trusting: ["192.0.2.2"]) == NetworkAddress("192.0.2.1"))
        #expect(client("unknown", [], trusting: []) == nil)
    }

    @Test("is the last one that a trusted proxy did not write itself")
    func trusted() {
        let proxies = ["10.0.0.0/8", "::1"]
        #expect(client("10.1.2.3", ["198.51.100.7"], trusting: proxies) == NetworkAddress("198.51.100.7"))
        // What the client itself put in front is worth nothing.
        #expect(client("10.1.2.3", ["1.1.1.1, 198.51.100.7"], trusting: proxies) == NetworkAddress("198.51.100.7"))
        #expect(
            client("::1", ["1.1.1.1", "198.51.100.7 , 10.9.9.9"], trusting: proxies) == NetworkAddress("198.51.100.7"))
        #expect(client("10.1.2.3", ["198.51.100.7, nonsense"], trusting: proxies) == NetworkAddress("10.1.2.3"))
        #expect(client("::ffff:10.1.2.3", ["2001:db8::5"], trusting: proxies) == NetworkAddress("2001:db8::5"))
        for withPort in ["198.51.100.7:4711", "[2001:db8::5]:4711", "[2001:db8::5]"] {
            let address = withPort.hasPrefix("[") ? "2001:db8::5" : "198.51.100.7"
            #expect(client("10.1.2.3", [withPort], trusting: proxies) == NetworkAddress(address))
        }
    }

    @Test(
        "also stands in Forwarded, in every form of it",
        arguments: [
            ("for=198.51.100.7", "198.51.100.7"), ("For=\"198.51.100.7:4711\";proto=https", "198.51.100.7"),
            ("proto=https; for=\"[2001:db8::5]:4711\"", "2001:db8::5"),
            ("for=1.1.1.1, for=198.51.100.7", "198.51.100.7"),
            // What a client left open does not reach what the proxy says of it.
            ("for=\"1.1.1.1, for=198.51.100.7", "198.51.100.7"), ("for=unknown", "10.1.2.3"),
            ("by=1.1.1.1", "10.1.2.3"),
        ])
    func forwarded(field: String, address: String) {
        #expect(client("10.1.2.3", [field], by: "forwarded", trusting: ["10.0.0.0/8"]) == NetworkAddress(address))
        #expect(client("10.1.2.3", [field], by: "forwarded", trusting: []) == NetworkAddress("10.1.2.3"))
    }

    @Test("of IPv6 counts for its whole /64 network")
    func network() {
        #expect(NetworkAddress("2001:db8::1")?.network == NetworkAddress("2001:db8::ffff:1")?.network)
        #expect(NetworkAddress("2001:db8::1")?.network != NetworkAddress("2001:db8:0:1::1")?.network)
        #expect(NetworkAddress("192.0.2.1")?.network != NetworkAddress("192.0.2.2")?.network)
    }

    @Test(
        "lies in a range or not",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.1", "10.0.0.1", true),
            ("172.16.0.0/12", "172.31.9.9", true), ("172.16.0.0/12", "172.32.0.1", false),
            ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001:db8::1", false), ("fd00::/8", "fd12::1", true),
        ])
    func ranges(_ range: String, _ address: String, _ isInside: Bool) throws {
        let range = try #require(AddressRange(range))
        #expect(range.contains(try #require(NetworkAddress(address))) == isInside)
    }

    @Test(
        "has ranges that are written rightly",
        arguments: ["", "10/8", "10.0.0.0/33", "10.0.0.0/", "a", "10.0.0.0/+8", "::/129"])
    func wrongRanges(_ text: String) { #expect(AddressRange(text) == nil) }
}

@Suite("Too many requests", .timeLimit(.minutes(10)))
struct TooManyRequestsTests {
    private let link = #"{"url":"https://example.org/a.jpg"}"#

    private var open: RequestLimits {
        var limits = RequestLimits()
        limits.trustedProxies = [AddressRange("127.0.0.0/8")].compactMap { $0 }
        return limits
    }

    private func statuses(
        _ limits: RequestLimits, _ count: Int, _ request: @escaping (ServiceFixture) -> Request
    ) async throws -> ([Int], stored: Int, last: RawResponse?) {
        try await withService(limits: limits) { server, ports in
            var statuses: [Int] = []
            var last: RawResponse?
            for _ in 0..<count {
                last = try await server.send(request(ports))
                statuses.append(last?.status ?? 0)
            }
            return (statuses, try await ports.received().count, last)
        }
    }

    @Test("by one hook are refused with the time to come back, and nothing is stored")
    func perHook() async throws {
        var limits = open
        limits.perHook = Rate(perSecond: 0.1, burst: 2)
        let result = try await statuses(limits, 3) { .json("/v1/hooks/hook1", token: $0.token.shown, link) }
        #expect(result.0 == [202, 202, 429] && result.stored == 2)
        #expect(result.last?.field("retry-after") == "10")
        #expect(result.last?.field("content-type") == "application/problem+json")
    }

    @Test("of one address are refused behind a trusted proxy; loopback itself has no limit")
    func perAddress() async throws {
        var limits = open
        limits.perAddress = Rate(perSecond: 1, burst: 1)
        let one = try await statuses(limits, 2) {
            .json("/v1/hooks/hook1", token: $0.token.shown, link).with("X-Forwarded-For", "198.51.100.7")
        }
        #expect(one.0 == [202, 429])
        let loopback = try await statuses(limits, 3) { .json("/v1/hooks/hook1", token: $0.token.shown, link) }
        #expect(loopback.0 == [202, 202, 202])
        limits.trustedProxies = []
        let liar = try await statuses(limits, 3) {
            .json("/v1/hooks/hook1", token: $0.token.shown, link).with("X-Forwarded-For", "198.51.100.7")
        }
        #expect(liar.0 == [202, 202, 202])
    }

    @Test("with a wrong token are refused, while the right one goes on")
    func refusals() async throws {
        var limits = open
        limits.refusedPerAddress = Rate(perSecond: 0.2, burst: 2)
        try await withService(limits: limits) { server, ports in
            let client = ("X-Forwarded-For", "198.51.100.7")
            var statuses: [Int?] = []
            for token in ["x", ports.otherToken.shown, "x", ports.token.shown] {
                let request = Request.json("/v1/hooks/hook1", token: token, link).with(client.0, client.1)
                statuses.append(try await server.status(request))
            }
            #expect(statuses == [401, 401, 429, 202])
        }
    }

    @Test("with a wrong token for a status count like those of a hook")
    func statusRefusals() async throws {
        var limits = open
        limits.refusedPerAddress = Rate(perSecond: 0.2, burst: 2)
        try await withService(limits: limits) { server, ports in
            let client = ("X-Forwarded-For", "198.51.100.7")
            _ = try await server.status(.json("/v1/hooks/hook1", token: ports.token.shown, link))
            let id = try #require(try await ports.received().first?.id)
            var statuses: [Int?] = []
            for (message, token) in [
                ("\(id)", "x"), ("none", ports.token.shown), ("\(id)", "x"), ("\(id)", ports.token.shown),
            ] {
                let request = Request.get("/v1/messages/\(message)", token: token).with(client.0, client.1)
                statuses.append(try await server.status(request))
            }
            #expect(statuses == [404, 404, 429, 200])
        }
    }

    @Test("of one account are refused by their bytes, their items, and by what waits already")
    func perTenant() async throws {
        var bytes = open
        bytes.bytesPerTenantAndDay = 40
        let requests: (ServiceFixture) -> Request = { .json("/v1/hooks/hook1", token: $0.token.shown, link) }
        #expect(try await statuses(bytes, 3, requests).0 == [202, 429, 429])
        var items = open
        items.itemsPerTenantAndHour = 3
        let three = #"{"items":["https://example.org/a","https://example.org/b","https://example.org/c"]}"#
        #expect(
            try await statuses(items, 2) { .json("/v1/hooks/hook1", token: $0.token.shown, three) }.0 == [202, 429])
        var queue = open
        queue.queuedItemsPerTenant = 2
        #expect(try await statuses(queue, 3, requests).0 == [202, 202, 429])
    }

    @Test("may be kept for a sender that would drop them")
    func policy() async throws {
        var limits = open
        limits.perHook = Rate(perSecond: 0, burst: 1)
        try await withService { _, ports in
            let limiter = RequestLimiter(
                limits, history: ports.store, allowance: TenantAllowance(bytesPerDay: limits.bytesPerTenantAndDay))
            let hook = try #require(try await ports.store.hook(Hook.ID("hook1")))
            for _ in 0..<5 { try await limiter.admit(hook, .known(10), .queue, at: ServiceFixture.noon) }
            try await limiter.admit(hook, .known(10), at: ServiceFixture.noon)
            await #expect(throws: ProblemError.self) {
                try await limiter.admit(hook, .known(10), at: ServiceFixture.noon)
            }
        }
    }
}
