import Mail
import Testing

@Suite("Where LMTP is listened for")
struct LMTPEndpointTests {
    @Test("a socket's path or a port of this machine")
    func good() {
        #expect(LMTPEndpoint("/run/pinpost/lmtp") == .socket(path: "/run/pinpost/lmtp"))
        #expect(LMTPEndpoint("localhost:24")?.description == "127.0.0.1:24")
        #expect(LMTPEndpoint("[::1]:2003")?.description == "[::1]:2003")
    }

    @Test(
        "nothing that others could reach",
        arguments: ["0.0.0.0:24", ":24", "mx.example.org:24", "127.0.0.1", "lmtp.sock", "/", "/run/", "::1:24", ""])
    func bad(_ text: String) { #expect(LMTPEndpoint(text) == nil) }
}
