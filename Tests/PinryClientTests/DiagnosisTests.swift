import CurlKit
import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing

@testable import PinryClient

/// The check at set-up names the one thing to fix.
@Suite("Diagnosis", .timeLimit(.minutes(10)))
struct DiagnosisTests {
    private func expectFault(
        _ code: PinryError.Code, saying words: String = "", at url: String? = nil, token: String? = Token.alice,
        board: BoardChoice? = nil, _ change: @escaping @Sendable (inout PinryDouble.Options) -> Void = { _ in }
    ) async throws {
        let (double, pinry, _) = try PinryDouble.withAlice()
        double.change(change)
        double.addBoard("Inbox", of: "alice")
        double.addBoard("inbox", of: "alice")
        double.addBoard("Bobs", of: "bob")
        double.addBoard("Secret", of: "bob", isPrivate: true)
        let base = url.map { $0 == "+" ? double.url : $0.hasPrefix("/") ? double.url + $0 : $0 } ?? double.url
        let error = await #expect(throws: PinryError.self) {
            try await pinry.diagnose(PinryBackend.account(base, nil, token), board: board)
        }
        #expect(error?.code == code)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "nil")")
    }

    @Test("what is wrong with the address")
    func address() async throws {
        try await expectFault(.missingScheme, saying: "https://pins.example.org", at: "pins.example.org")
        try await expectFault(.notPinry, saying: "credentials", at: "http://a:b@pins.example.org")
        try await expectFault(.wrongBase, saying: "leave off", at: "/api/v2")
        try await expectFault(.wrongBase, saying: "?", at: "/?next=1")
        try await expectFault(.wrongBase, at: "/pinry")
        try await expectFault(.wrongBase, at: "/pinry") { $0.frontDoor = .nginx }
        try await expectFault(.redirected, saying: "https://pins.example.org") {
            $0.redirectsTo = "https://pins.example.org"
        }
    }

    @Test("what is wrong with the token")
    func token() async throws {
        try await expectFault(.tokenRejected, token: "0000")
        try await expectFault(.tokenRejected, saying: "inactive", token: "dead")
        try await expectFault(.authorizationEaten) { $0.eatsAuthorization = true }
        try await expectFault(.publicSwitchedOff, saying: "PUBLIC=False") { $0.isPublic = false }
        try await expectFault(.publicSwitchedOff, token: nil) { $0.isPublic = false }
    }

    @Test("what is wrong with the board")
    func board() async throws {
        try await expectFault(.boardMissing, saying: "several", board: .name("INBOX"))
        try await expectFault(.boardForeign, saying: "bob", board: .name("bobs"))
        try await expectFault(.boardForeign, saying: "bob", board: .id(BoardID(3)))
        try await expectFault(.boardMissing, board: .id(BoardID(4)))
        try await expectFault(.boardMissing, saying: "Inbox", board: .name("Secret"))
        try await expectFault(.tokenMissing, token: nil, board: .id(BoardID(1)))
    }

    @Test("a private address needs the admin's word, and a page that is no Pinry is called so")
    func others() async throws {
        let double = try PinryDouble()
        let server = Server(id: Server.ID("s"), baseURL: double.url)
        let account = Account(tenant: Tenant.ID("t"), server: server, username: nil, token: nil)
        let pinry = RemotePinry(try HTTPClient())
        await expect(.addressRefused) { _ = try await pinry.diagnose(account, board: nil) }
        let page = try LoopbackServer { _ in
            LoopbackServer.Reply(200, [("Content-Type", "text/html")], body: Array("<title>Wiki</title>".utf8))
        }
        await expect(.notPinry) { _ = try await pinry.diagnose(PinryBackend.account(page.url, nil, "t"), board: nil) }
    }

    @Test("plain http to a public host is warned about, and works")
    func plainHTTP() async throws {
        let (double, _, _) = try PinryDouble.withAlice()
        let server = Server(id: Server.ID("s"), baseURL: "http://pins.example.org")
        let account = Account(
            tenant: Tenant.ID("t"), server: server, username: nil, token: Secret(copying: Array(Token.alice.utf8)))
        let found = try await RemotePinry(Rerouted(http: try HTTPClient(), to: double.url)).diagnose(
            account, board: nil)
        #expect(found.username == "alice" && found.warnings.contains { $0.contains("plain http") })
    }

    @Test("a certificate that nobody vouches for is named", .enabled(if: TLSServer.isAvailable, "no openssl command"))
    func certificate() async throws {
        let tls = try TLSServer()
        let pinry = RemotePinry(try HTTPClient())
        let error = await #expect(throws: PinryError.self) {
            try await pinry.diagnose(PinryBackend.account(tls.url, nil, "t"), board: nil)
        }
        #expect(error?.code == .tlsUntrusted && error?.description.contains("--ca-file") == true)
    }

    @Test("each dialect's check points to the other where that one answers")
    func dialects() async throws {
        let (double, pinry, alice) = try PinryDouble.withAlice()
        let saver = PinryBackend.account(double.url, nil, Token.alice, .pinrysaver)
        let first = await #expect(throws: PinryError.self) { try await pinry.diagnose(saver, board: nil) }
        #expect(first?.detail.contains("--dialect v2") == true)
        double.change { $0.dialect = .pinrysaver }
        let second = await #expect(throws: PinryError.self) { try await pinry.diagnose(alice, board: nil) }
        #expect(second?.detail.contains("--dialect pinrysaver") == true)
        _ = try await pinry.diagnose(saver, board: nil)
    }

    @Test("a sub-path works, and without a token the public pins can be read")
    func good() async throws {
        let (double, pinry, alice) = try PinryDouble.withAlice()
        double.fill(with: 3, by: "bob")
        double.change { $0.pathPrefix = "/pinry" }
        let found = try await pinry.diagnose(PinryBackend.account(double.url, nil, Token.alice), board: nil)
        #expect(found.username == "alice" && found.newestPin == PinID(3) && found.warnings.isEmpty)
        let anonymous = PinryBackend.account(double.url, nil, nil)
        #expect(try await pinry.diagnose(anonymous, board: nil).username == nil)
        #expect(try await pinry.pins(of: nil, limit: 2, as: anonymous).count == 2)
        _ = alice
    }

    @Test("the app's own call makes the pin with its board, and refuses what it cannot keep private")
    func saver() async throws {
        let (double, pinry, _) = try PinryDouble.withAlice()
        let board = double.addBoard("Phone", of: "alice")
        double.change { $0.dialect = .pinrysaver }
        let account = PinryBackend.account(double.url, "alice", Token.alice, .pinrysaver)
        var pin = Pin(description: "d", source: "https://example.org/", tags: ["x"], isPrivate: false)
        let id = try await pinry.createPin(
            pin, with: TestPicture.prepared(seed: 5), named: "a", board: board, as: account)
        let made = try #require(double.pins.last)
        #expect(made.id == id && made.source == "https://example.org/" && made.boards == ["Phone"])
        double.misbehave([PinryFault(.reset, .after, on: "POST /api/pins/")])
        await expect(.answerLost) {
            _ = try await pinry.createPin(pin, with: TestPicture.prepared(seed: 6), named: "a", board: nil, as: account)
        }
        pin.isPrivate = true
        await expect(.pinRejected) {
            _ = try await pinry.createPin(pin, with: TestPicture.prepared(seed: 7), named: "a", board: nil, as: account)
        }
    }
}

/// A public name that is served by the double on loopback.
private struct Rerouted: HTTPExchange {
    let http: HTTPClient
    let to: String

    func send(_ request: HTTPRequest, as egress: EgressClass) async throws(HTTPExchangeError) -> HTTPResponse {
        guard case .pinry(let server) = egress else { throw HTTPExchangeError(.badURL) }
        var local = request
        local.url = to + request.url.dropFirst(server.baseURL.count)
        return try await http.send(
            local, as: .pinry(Server(id: server.id, baseURL: to, allowsPrivateNetwork: true)))
    }
}
