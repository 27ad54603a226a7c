import CurlKit
import Glibc
import PinpostCore
import PinpostTesting
import Testing

/// Names whose addresses change between one question and the next.
///
/// `script/rebinding` runs this suite in a network of its own, where 93.184.216.34 is an address of this machine and
/// 127.0.0.1 the name server.
@Suite(
    "Names that change their address", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: getenv("PINPOST_TEST_NETWORK") != nil, "run by script/rebinding"))
struct RebindingTests {
    private static let outside = "93.184.216.34"
    private static let inside = "127.0.0.1"

    /// What a client of its own, which remembers no address, is told about a URL.
    private func code(of url: String) async throws -> HTTPExchangeError.Code? {
        let client = try HTTPClient()
        do throws(HTTPExchangeError) {
            _ = try await client.send(HTTPRequest(url: url, timeout: .seconds(10)), as: .message)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a name that leads outside first and inside afterwards never leads inside")
    func rebinding() async throws {
        let resolver = try StubResolver(["rebind.test": [[Self.outside], [Self.inside]]])
        let site = try LoopbackServer(port: 8_100, host: Self.outside) { _ in .init(200, then: .close) }
        let network = try LoopbackServer(port: 8_100) { _ in .init(200) }
        #expect(try await code(of: "http://rebind.test:8100/") == nil)
        for _ in 0..<3 { #expect(try await code(of: "http://rebind.test:8100/") == .refusedAddress) }
        #expect(site.connections == 1 && network.connections == 0)
        #expect(resolver.questions(about: "rebind.test") == 4)
    }

    @Test("neither does a redirect to the name itself, once its address has changed")
    func redirect() async throws {
        let resolver = try StubResolver(["turn.test": [[Self.outside], [Self.inside]], "start.test": [[Self.outside]]])
        let site = try LoopbackServer(port: 8_100, host: Self.outside) { request in
            let next = request.target == "/1" ? "http://turn.test:8100/2" : "http://turn.test:8100/1"
            return .init(302, [("Location", next)], then: .close)
        }
        let network = try LoopbackServer(port: 8_100) { _ in .init(200) }
        for _ in 0..<2 {
            let code = try await code(of: "http://start.test:8100/0")
            #expect(code == .refusedAddress || code == .tooManyRedirects)
        }
        #expect(site.connections > 1 && network.connections == 0)
        #expect(resolver.questions(about: "turn.test") > 1)
    }

    @Test("an address inside among others is not tried when those outside do not answer")
    func mixed() async throws {
        let resolver = try StubResolver(["mixed.test": [[Self.outside, Self.inside], [Self.inside, Self.outside]]])
        let network = try LoopbackServer(port: 8_101) { _ in .init(200) }
        for _ in 0..<2 { #expect(try await code(of: "http://mixed.test:8101/") != nil) }
        #expect(network.connections == 0 && resolver.questions(about: "mixed.test") == 2)
    }
}
