import Testing

@testable import Hooks

@Suite("A sample for a sender")
struct SenderSampleTests {
    private let url = "https://pins.example.org/v1/hooks/abc"

    @Test("has the hook's own address, and the token only where it was said", arguments: SenderSample.allCases)
    func address(_ sample: SenderSample) {
        let token = "pph_secret"
        let without = sample.text(hook: url)
        let with = sample.text(hook: url, token: token)
        #expect(without.contains(url) || without.contains(#"https:\/\/pins.example.org\/v1\/hooks\/abc"#))
        #expect(!without.contains(token))
        // The worker takes it from Cloudflare's own secrets.
        #expect(with.contains(token) == (sample != .cloudflare))
    }

    @Test("for ShareX and n8n is JSON", arguments: [SenderSample.sharex, .n8n])
    func isJSON(_ sample: SenderSample) throws {
        let text = sample.text(hook: url)
        _ = try JSONTree(
            reading: ByteSource(BodyReader(Array(text.utf8)), limit: 1 << 16), limits: HookLimits())
    }

    @Test("for a bookmark is one line of a script")
    func bookmarklet() {
        let text = SenderSample.bookmarklet.text(hook: url)
        #expect(text.hasPrefix("javascript:(()=>{") && text.hasSuffix("})()\n"))
        #expect(text.split(separator: "\n").count == 1)
        #expect(text.count { $0 == "{" } == text.count { $0 == "}" })
        #expect(text.count { $0 == "(" } == text.count { $0 == ")" })
    }
}
