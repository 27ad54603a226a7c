import PinpostCore
import Testing

@testable import PinpostApp

/// The fields and exit codes that `egress check --json` has agreed on.
@Suite("egress check", .timeLimit(.minutes(10)))
struct CheckEgressTests {
    private func expect(
        _ words: [String], _ exit: ExitCode, _ fields: [String], settings: [String: String] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        try await Stage.open { stage in
            let outcome = try await stage.with(settings).run(["egress", "check"] + words + ["--json"])
            #expect(outcome.exit == exit, "\(outcome.errors)", sourceLocation: location)
            #expect(outcome.output.first == "{" && outcome.output.hasSuffix("}\n"), sourceLocation: location)
            for field in fields {
                #expect(outcome.output.contains(field), "\(outcome.output)", sourceLocation: location)
            }
            #expect(
                Set(try outcome.object().keys) == ["allowed", "reason", "host", "addresses"], sourceLocation: location)
        }
    }

    @Test("what is allowed exits with 0 and has no reason")
    func allowed() async throws {
        try await expect(
            ["http://93.184.216.34/x"], .done,
            [#""addresses":["93.184.216.34"]"#, #""allowed":true"#, #""host":"93.184.216.34""#, #""reason":null"#])
        try await expect(
            ["https://Name.test/", "--resolve", "name.test=93.184.216.34,2606:4700::1"], .done,
            [#""addresses":["93.184.216.34","2606:4700::1"]"#, #""host":"name.test""#])
    }

    @Test("what is refused exits with 77 and says why, with all addresses of the name")
    func refused() async throws {
        try await expect(
            ["http://name.test/", "--resolve", "name.test=93.184.216.34,10.0.0.1"], .notAllowed,
            [#""addresses":["93.184.216.34","10.0.0.1"]"#, #""allowed":false"#, #""host":"name.test""#, "private"])
        try await expect(["http://localhost/"], .notAllowed, [#""addresses":[]"#, #""host":"localhost""#])
        try await expect(["javascript:alert(1)"], .notAllowed, [#""addresses":[]"#, #""host":null"#])
    }

    @Test("a name that does not resolve is not refused by itself")
    func unresolved() async throws {
        for egress in ["message", "pinry", "provider"] {
            try await expect(
                ["http://nowhere.invalid/", "--class", egress], .done,
                [#""addresses":[]"#, #""allowed":true"#, #""host":"nowhere.invalid""#, #""reason":null"#])
        }
    }

    @Test("a base URL is judged without --allow-private, whatever its port")
    func pinry() async throws {
        try await expect(["http://93.184.216.34:5000/", "--class", "pinry"], .done, [#""allowed":true"#])
        for url in ["http://127.0.0.1/", "http://192.168.1.5:5000/", "http://[fd00::1]/", "http://169.254.169.254/"] {
            try await expect([url, "--class", "pinry"], .notAllowed, [#""allowed":false"#])
        }
    }

    @Test("what the admin allows by name is allowed")
    func exceptions() async throws {
        try await expect(
            ["http://127.0.0.1:8001/"], .done, [#""allowed":true"#],
            settings: ["PINPOST_EGRESS_ALLOW": "127.0.0.1:8001"])
    }
}
