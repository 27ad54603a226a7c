import Testing

@testable import PinpostApp

@Suite("Environment file")
struct EnvironmentFileTests {
    @Test("reads what systemd reads")
    func parses() throws {
        let text = """
            # the service's settings
            ; more
            PINPOST_DATA=/srv/pins

              PINPOST_LOG = "json"
            PINPOST_MAIL_ADDRESS='pins@example.net'
            PINPOST_PUBLIC_URL=https://x/?a=b
            """
        let values = try EnvironmentFile.parse(text, path: "f")
        #expect(
            values == [
                "PINPOST_DATA": "/srv/pins", "PINPOST_LOG": "json", "PINPOST_MAIL_ADDRESS": "pins@example.net",
                "PINPOST_PUBLIC_URL": "https://x/?a=b",
            ])
    }

    @Test("names the lines that are no settings")
    func brokenLines() {
        let error = #expect(throws: ConfigurationProblems.self) {
            _ = try EnvironmentFile.parse("A=1\nnonsense\n=x\n", path: "f.env")
        }
        #expect(error?.problems.map(\.name) == ["f.env:2", "f.env:3"])
    }

    @Test("adds nothing when it is not there, and reports a file that cannot be read")
    func missing() throws {
        #expect(try EnvironmentFile.merge("/nonexistent/pinpost.env", under: ["A": "1"]) == ["A": "1"])
        #expect(throws: ConfigurationProblems.self) { _ = try EnvironmentFile.merge("/", under: [:]) }
    }
}
