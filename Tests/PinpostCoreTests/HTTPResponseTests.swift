import PinpostCore
import Testing

@Suite("HTTP responses")
struct HTTPResponseTests {
    private static let head = """
        Content-Type: text/html;\tcharset=utf-8 \r
        LOCATION:/first\r
        Location :   /second\r
        X-Empty:\r
        no field\r
        : no name\r
        X-Locations: no\r
        X-Colons: a:b
        """

    @Test(
        "a header is found by its name in any case, the last of several, without the space around it",
        arguments: [
            ("content-type", "text/html;\tcharset=utf-8"), ("location", "/second"), ("x-empty", ""),
            ("x-colons", "a:b"), ("x-location", nil), ("no field", nil), ("set-cookie", nil),
        ])
    func header(_ name: String, _ value: String?) {
        let response = HTTPResponse(status: 200, head: Array(Self.head.utf8), body: [], url: "")
        #expect(response.header(name) == value)
    }

    @Test("fields that are given one by one are found as well")
    func fields() {
        let response = HTTPResponse(status: 200, headers: [("etag", "1"), ("age", "2")], body: [], url: "")
        #expect(response.header("etag") == "1" && response.header("age") == "2")
    }
}
