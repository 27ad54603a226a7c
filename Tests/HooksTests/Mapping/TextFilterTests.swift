import Testing

@testable import Hooks

@Suite("A text filter")
struct TextFilterTests {
    @Test(
        "makes of a text what its name says",
        arguments: [
            ("first_url", "see (https://example.org/a), https://b.example", ["https://example.org/a"]),
            ("first_url", "nothing here", []), ("hashtags", "At the lake #boats and #süd", ["boats", "süd"]),
            ("hashtags", "none", []), ("split", " a, b ,,c", ["a", "b", "c"]), ("split( | )", "a | b|c", ["a", "b|c"]),
            ("split(;)", ";;", []), ("strip_html", "<p>A &amp; B<br/>C</p><script x='1'>", ["A & B\nC"]),
            ("strip_html", "1 < 2 &lt; 3 &#x41;&#66; &bad; &#0; &", ["1 < 2 < 3 AB &bad; &#0; &"]),
            ("strip_html", "a <b", ["a <b"]), ("base64", "w6RiYw==", ["äbc"]), ("base64", "w6RiYw", ["äbc"]),
            ("base64", "/w==", []), ("base64", "!", []),
        ])
    func filters(_ name: String, _ text: String, _ expected: [String]) throws {
        #expect(try #require(TextFilter(name)).apply(to: text) == expected)
    }

    @Test("is unknown", arguments: ["", "split()", "split(", "First_url", "jq", "split(123456789)"])
    func unknown(_ name: String) { #expect(TextFilter(name) == nil) }

    @Test(
        "costs no more than its text", .timeLimit(.minutes(10)), arguments: ["<", "&", "&#", "<a", "#", "http://", ","])
    func bounded(_ piece: String) throws {
        let text = String(repeating: piece, count: 50_000)
        for name in ["first_url", "hashtags", "split", "strip_html", "base64"] {
            _ = try #require(TextFilter(name)).apply(to: text)
        }
    }
}
