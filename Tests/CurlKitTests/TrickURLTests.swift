import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing

@testable import CurlKit

@Suite("Trick URLs", .timeLimit(.minutes(10)))
struct TrickURLTests {
    /// One row of `Fixtures/egress.json`: what each class says to it.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let kind: String
        let url: String
        let message: Bool
        let pinry: Bool
        /// `HOST=IP[,IP…]` instead of the name server.
        let resolve: String?

        var testDescription: String { "\(kind) \(url.prefix(80).debugDescription)" }

        var known: (host: String, addresses: [String])? {
            guard let parts = resolve?.split(separator: "="), parts.count == 2 else { return nil }
            return (String(parts[0]), parts[1].split(separator: ",").map(String.init))
        }
    }

    static let cases: [Case] = {
        let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        guard let data = FileManager.default.contents(atPath: "\(folder)/Fixtures/egress.json") else { return [] }
        return (try? JSONDecoder().decode([Case].self, from: data)) ?? []
    }()

    private static let pinry = EgressClass.pinry(Server(id: Server.ID("trick"), baseURL: ""))

    @Test("there are trick URLs")
    func notEmpty() { #expect(Self.cases.count >= 100) }

    @Test("each class judges each trick as listed, and gives a reason where it refuses", arguments: cases)
    func verdicts(_ row: Case) {
        let known = row.known.map { [$0.host: $0.addresses.compactMap { NumericAddress($0) }] } ?? [:]
        let check = EgressCheck(known: known)
        for (egress, isAllowed) in [(EgressClass.message, row.message), (Self.pinry, row.pinry)] {
            let verdict = check.judge(row.url, as: egress)
            #expect(verdict.isAllowed == isAllowed, "\(egress)")
            #expect((verdict.reason == nil) == isAllowed)
        }
    }

    /// A listener on a port that links may use.
    private func listener() throws -> LoopbackServer {
        for port in 8_100...8_999 {
            if let server = try? LoopbackServer(port: port, { _ in .init(200) }) { return server }
        }
        throw LoopbackFull()
    }

    private struct LoopbackFull: Error {}

    /// The trick as it is, and the same aimed at the listener.
    private static func aimed(_ url: String, at port: Int) -> [String] {
        guard let mark = url.firstRange(of: "://") else { return [url] }
        let authority = url[mark.upperBound...].prefix { !"/?#".contains($0) }
        let rest = url[authority.endIndex...]
        return [url, "\(url[..<mark.upperBound])\(authority):\(port)\(rest.isEmpty ? "/" : rest)"]
    }

    @Test("not one refused URL reaches a listener, typed in or by redirect")
    func noConnection() async throws {
        let inside = try listener()
        let refused = (Self.cases.filter { !$0.message } + Self.recorded).flatMap {
            Self.aimed($0.url, at: inside.port)
        }
        let site = try LoopbackServer { request in
            let number = Int(request.target.dropFirst()) ?? 0
            return .init(302, [("Location", refused.indices.contains(number) ? refused[number] : "")])
        }
        var settings = HTTPClient.Settings()
        settings.exceptions = Set([AddressPolicy.Exception("127.0.0.1:\(site.port)")].compactMap(\.self))
        settings.resolve = Self.cases.compactMap(\.known).flatMap { known in
            [80, inside.port].map { "\(known.host):\($0):127.0.0.1" }
        }
        let client = try HTTPClient(settings)
        for (number, url) in refused.enumerated() {
            // What holds a line break cannot stand in a header.
            let isLine = !url.contains(where: \.isNewline) && !url.contains("\0")
            for url in isLine ? [url, "\(site.url)/\(number)"] : [url] {
                let request = HTTPRequest(url: url, timeout: .seconds(5))
                await #expect(throws: HTTPExchangeError.self, "\(url.prefix(80).debugDescription)") {
                    try await client.send(request, as: .message)
                }
            }
        }
        #expect(inside.connections == 0)
        // The guard was asked, and not by chance nobody.
        #expect(site.connections > 0)
    }

    /// The refused ones of the recorded cases, where they are at hand; names are left to the other test.
    private static let recorded = AddressPolicyTests.cases.filter {
        !$0.message_url.hasPrefix("allow") && $0.dns == nil && $0.redirects_to == nil
            && !AddressPolicyTests.elsewhere.contains($0.cat)
    }.map { Case(kind: $0.cat, url: $0.url, message: false, pinry: false, resolve: nil) }
}
