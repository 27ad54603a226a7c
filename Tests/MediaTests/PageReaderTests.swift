import Media
import PinpostCore
import Testing

@Suite("Reading pages", .timeLimit(.minutes(10)))
struct PageReaderTests {
    private let reader = SandboxedPageReader(Workshop.pool)

    @Test("elements come in order, entities resolved, with the places they stand in")
    func elements() async throws {
        let outline = try await reader.outline(
            of: """
                <title>A &amp; B</title><meta property="og:image" content="/a?b=1&amp;c=2">
                <main class="Story"><a href="/big.jpg"><img src=x.jpg data-src="/y.jpg" onclick="z"></a></main>
                <footer><img src=z.jpg></footer>
                """)
        #expect(outline.elements.map(\.name) == ["title", "meta", "img", "img"])
        #expect(outline.elements[0].text == "A & B")
        #expect(outline.elements[1].attributes == ["property": "og:image", "content": "/a?b=1&c=2"])
        #expect(outline.elements[2].attributes == ["src": "x.jpg", "data-src": "/y.jpg"])
        #expect(outline.elements[2].place == .main && outline.elements[2].link == "/big.jpg")
        #expect(outline.elements[2].surroundings == "story")
        #expect(outline.elements[3].place == .footer && outline.elements[3].link.isEmpty)
    }

    @Test("a charset that the page names opens no file: the text is UTF-8 already")
    func charset() async throws {
        for name in ["shift_jis", "utf-16", "iso-2022-kr", "nonsense"] {
            let outline = try await reader.outline(of: "<title>Größe 日本</title><meta charset=\(name)><h1>Ü</h1>")
            #expect(outline.elements.first?.text == "Größe 日本")
            #expect(outline.elements.last?.text == "Ü")
        }
    }

    @Test("entities from outside are neither fetched nor expanded")
    func entities() async throws {
        let outline = try await reader.outline(
            of: """
                <?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/hostname"><!ENTITY a "aaaa">
                <!ENTITY b "&a;&a;&a;">]><title>&x;&b;</title>
                """)
        #expect(outline.elements.first { $0.name == "title" }?.text.utf8.count ?? 0 < 20)
    }

    @Test(
        "whatever comes is read or refused, and never more than the limits come back",
        arguments: [
            String(repeating: "<div>", count: 200_000), String(repeating: "<img src=a.jpg>", count: 60_000),
            String(repeating: "<p><b><i>", count: 60_000) + "<img src=a.jpg>",
            "<img src='" + String(repeating: "a", count: 900_000) + "'>",
            "<script type='application/ld+json'>" + String(repeating: "[", count: 900_000),
            "<img " + String(repeating: "data-x1='/a.jpg' ", count: 50_000) + ">", "<", "<!", "<!--", "</", "<a b=\"",
            String(repeating: "&amp", count: 200_000), "<title>" + String(repeating: "x", count: 1_000_000),
        ])
    func hostile(_ html: String) async throws {
        let outline = try await reader.outline(of: html)
        #expect(outline.elements.count <= 3_000)
        let size = outline.elements.reduce(0) { $0 + $1.text.utf8.count + ($1.attributes["src"]?.utf8.count ?? 0) }
        #expect(size <= 2 << 20)
    }

    @Test("random bytes harm nobody")
    func random() async throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            let bytes = (0..<4_000).map { _ in
                [60, 62, 34, 39, 61, 38, 47, 33, 32].randomElement(using: &random)
                    ?? UInt8.random(in: 0...255, using: &random)
            }
            _ = try await reader.outline(of: String(decoding: bytes, as: UTF8.self))
        }
    }
}
