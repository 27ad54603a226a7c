import CurlKit
import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing

@testable import PinryClient

/// A Pinry that the contract suite runs against: the double, and a live one where the environment names it.
struct PinryBackend: Sendable, CustomTestStringConvertible {
    let name: String
    let account: Account
    /// Somebody else on the same Pinry.
    let other: Account
    private let double: PinryDouble?

    var testDescription: String { name }

    static func account(_ url: String, _ username: String?, _ token: String?, _ dialect: Server.Dialect = .v2)
        -> Account
    {
        let server = Server(
            id: Server.ID("s"), baseURL: url, dialect: dialect, allowsPrivateNetwork: true)
        return Account(
            tenant: Tenant.ID("t"), server: server, username: username,
            token: token.map { Secret(copying: Array($0.utf8)) })
    }

    /// The double's backend keeps the double alive.
    static func double() throws -> PinryBackend {
        let double = try PinryDouble()
        double.addUser("alice", token: Token.alice)
        double.addUser("bob", token: Token.bob)
        return PinryBackend(
            name: "double", account: account(double.url, "alice", Token.alice),
            other: account(double.url, "bob", Token.bob), double: double)
    }

    /// `PINPOST_TEST_PINRY_URL`, `…_USER`, `…_TOKEN`, `…_OTHER_USER`, `…_OTHER_TOKEN`.
    static func live() -> PinryBackend? {
        func value(_ name: String) -> String? { ProcessInfo.processInfo.environment["PINPOST_TEST_PINRY_\(name)"] }
        guard let url = value("URL"), let token = value("TOKEN"), let otherToken = value("OTHER_TOKEN") else {
            return nil
        }
        return PinryBackend(
            name: "live", account: account(url, value("USER"), token),
            other: account(url, value("OTHER_USER"), otherToken), double: nil)
    }

    static let available: [PinryBackend] = ((try? double()).map { [$0] } ?? []) + (live().map { [$0] } ?? [])
}

enum Token {
    static let alice = "a11ce00000000000000000000000000000000001"
    static let bob = "b0b0000000000000000000000000000000000002"
}

extension PinryDouble {
    /// The double with alice, bob and a client for alice.
    static func withAlice() throws -> (double: PinryDouble, pinry: RemotePinry, alice: Account) {
        let double = try PinryDouble()
        double.addUser("alice", token: Token.alice)
        double.addUser("bob", token: Token.bob)
        double.addUser("dave", token: "dead", isActive: false)
        return (double, RemotePinry(try HTTPClient()), PinryBackend.account(double.url, "alice", Token.alice))
    }
}
