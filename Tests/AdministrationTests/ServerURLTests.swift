import Administration
import Testing

@Suite("Server URL")
struct ServerURLTests {
    @Test(
        "is brought into one form",
        arguments: [
            ("https://pinry.example", "https://pinry.example"),
            (" HTTPS://Pinry.Example:443/ ", "https://pinry.example"),
            ("http://pinry.example:80", "http://pinry.example"),
            ("http://pinry.example:8000/", "http://pinry.example:8000"),
            ("https://example.org//Pinry//", "https://example.org/Pinry"), ("http://[::1]:81", "http://[::1]:81"),
            ("http://10.0.0.7", "http://10.0.0.7"), ("https://pinry.example:80", "https://pinry.example:80"),
        ])
    func normal(_ text: String, _ expected: String) throws {
        #expect(try ServerURL(text).description == expected)
    }

    @Test(
        "is refused with what to do",
        arguments: [
            ("pinry.example", "https://pinry.example"), ("", "http:// or https://"), ("ftp://a", "not ftp://"),
            ("https://", "valid host"), ("https://a b", "printable ASCII"), ("https://user:pw@a", "user name"),
            ("https://a/?x", "before the \"?\""), ("https://a#x", "before the \"#\""), ("https://a:0", "1 to 65535"),
            ("https://a:99999", "1 to 65535"), ("https://a:x", "1 to 65535"), ("https://a..b", "valid host"),
            ("https://[zz]", "valid host"), ("https://pinry.exämple", "punycode"),
        ])
    func refused(_ text: String, _ part: String) {
        let error = #expect(throws: AdministrationError.self) { try ServerURL(text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
}
