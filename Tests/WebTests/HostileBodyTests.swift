import Testing
import Web

/// Bodies that are built to hurt, beside the recorded ones.
@Suite("A body that is built to hurt", .timeLimit(.minutes(10)))
struct HostileBodyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var type = "application/json"
        let body: [UInt8]
        let status: Int
        var testDescription: String { name }

        init(_ name: String, type: String = "application/json", _ body: String, _ status: Int) {
            self.init(name, type: type, bytes: Array(body.utf8), status)
        }

        init(_ name: String, type: String = "application/json", bytes: [UInt8], _ status: Int) {
            (self.name, self.type, self.body, self.status) = (name, type, bytes, status)
        }
    }

    private static let form = "application/x-www-form-urlencoded"
    private static let multipart = "multipart/form-data; boundary=b"

    static let cases = [
        Case("an empty array", "[]", 422), Case("an array of numbers", "[1,2]", 400),
        Case("a number", "1", 400), Case("null", "null", 400), Case("a text", "\"https://example.org/a\"", 400),
        Case("items that are no array", #"{"items":{}}"#, 400), Case("items of null", #"{"items":[null]}"#, 400),
        Case("a link that is an array of arrays", #"{"url":[["https://example.org/a"]]}"#, 400),
        Case("a private that is a word", #"{"url":"https://example.org/a","private":"perhaps"}"#, 400),
        Case("equal keys", #"{"url":"https://example.org/a","url":"https://example.org/b"}"#, 400),
        Case("equal keys, one escaped", #"{"url":"https://example.org/a","\u0075rl":"b"}"#, 400),
        Case("200 arrays", String(repeating: "[", count: 200) + String(repeating: "]", count: 200), 400),
        Case("200 objects", String(repeating: #"{"a":"#, count: 200) + "1" + String(repeating: "}", count: 200), 400),
        Case("half a surrogate pair", #"{"url":"https://example.org/\ud800"}"#, 202),
        Case("a number without an end", #"{"url":"https://example.org/a","n":1e}"#, 400),
        Case("an infinite number", #"{"url":"https://example.org/a","n":1e999}"#, 202),
        Case("NaN", #"{"url":"https://example.org/a","n":NaN}"#, 400),
        Case("a number of 2,000 digits", #"{"n":\#(String(repeating: "9", count: 2_000))}"#, 400),
        Case(
            "bytes that are not UTF-8", bytes: Array("{\"url\":\"https://example.org/".utf8) + [0xFF, 0x22, 0x7D], 400),
        Case("gzip", bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xAB, 0x56], 400),
        Case(
            "a text of 70 KB", #"{"url":"https://example.org/a","title":"\#(String(repeating: "a", count: 70_000))"}"#,
            413),
        Case("1,001 items", "[\((0...1_000).map { _ in "\"https://example.org/a\"" }.joined(separator: ","))]", 413),
        Case("many equal form fields", type: form, String(repeating: "a=b&", count: 1_001), 413),
        Case("65,000 parts", type: multipart, bytes: parts(65_000), 413),
        Case("a multipart without an end", type: multipart, "--b\r\n\r\nx", 400),
        Case("a multipart without a boundary", type: "multipart/form-data", "--b--", 400),
        Case("a picture that is a drawing", type: "image/png", "<svg xmlns='http://www.w3.org/2000/svg'/>", 422),
        Case("an empty picture", type: "image/png", "", 422),
        Case("a picture that is a page", type: "image/jpeg", "<html>", 422),
        Case("XML", type: "application/xml", "<a/>", 415), Case("a type of nothing", type: ";", "x", 415),
        Case("a script", type: "text/html", "<script>", 415),
    ]

    private static func parts(_ count: Int) -> [UInt8] {
        let part = Array("--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\r\n".utf8)
        var body: [UInt8] = []
        for _ in 0..<count { body += part }
        return body + Array("--b--\r\n".utf8)
    }

    @Test("gets its right answer, never 500, and leaves nothing behind", arguments: cases)
    func answered(_ example: Case) async throws {
        try await withService { server, ports in
            let request = Request(
                path: "/v1/hooks/hook1",
                fields: [("Content-Type", example.type), ("Authorization", "Bearer \(ports.token.shown)")],
                body: example.body)
            let answer = try #require(try await server.send(request))
            #expect(answer.status == example.status, "\(answer.body)")
            #expect(try await ports.received().isEmpty == (example.status != 202))
            #expect(ports.spooledCount == 0)
        }
    }

    @Test("of any kind is refused as a whole when it is compressed", arguments: ["gzip", "deflate", "br", "x"])
    func compressed(_ coding: String) async throws {
        try await withService { server, ports in
            let request = Request.json("/v1/hooks/hook1", token: ports.token.shown, "{}")
            let status = try await server.status(request.with("Content-Encoding", coding))
            #expect(status == 415)
        }
    }
}
