import FoundationEssentials
import Links
import PinpostCore
import Testing

@Suite("Odd and hostile pages", .timeLimit(.minutes(10)))
struct OddPageTests {
    /// A page, and the picture that a person would name; nil for a card.
    struct Odd: Sendable, CustomTestStringConvertible {
        let name: String
        let html: String
        let image: String?

        init(_ name: String, _ html: String, _ image: String?) {
            (self.name, self.html, self.image) = (name, html, image)
        }

        var testDescription: String { name }
    }

    private static let good = "<meta property='og:image' content='https://example.com/good.jpg'>"
    private static let picture = "https://example.com/good.jpg"
    private static func og(_ content: String) -> String { "<meta property=\"og:image\" content=\"\(content)\">" }
    private static func content(_ body: String) -> String { "<article><h1>x</h1>\(body)</article>" }

    static let addresses = [
        Odd("a script as picture", og("javascript:alert(1)") + good, picture),
        Odd("a file as picture", og("file:///etc/passwd") + good, picture),
        Odd("a data: SVG as picture", og("data:image/svg+xml,<svg/>") + good, picture),
        Odd("credentials in the picture's address", og("https://a:b@example.com/x.jpg") + good, picture),
        Odd("a giant of an address", og("https://example.com/" + String(repeating: "a", count: 9_000)) + good, picture),
        Odd("line breaks inside an address", og("https://exam\nple.com/go&#10;od.jpg"), picture),
        Odd("entities twice", og("https://example.com/a?b=1&amp;amp;c=2"), "https://example.com/a?b=1&c=2"),
        Odd("an empty address is not the page itself", og("") + og("   ") + good, picture),
        Odd("blanks around and backslashes", og("  https:\\\\example.com\\good.jpg "), picture),
        Odd("dots that climb above the root", og("/../../../good.jpg"), picture),
        Odd("a base that is a script", "<base href='javascript:alert(1)'>" + og("/good.jpg"), picture),
        Odd("a base that is a data: page", "<base href='data:text/html,x'>" + og("/good.jpg"), picture),
        Odd(
            "two bases, the first counts", "<base href='/b/'><base href='https://evil.test/'>" + og("../good.jpg"),
            picture),
        Odd("a port that is none", og("https://example.com:99999999/x.jpg") + good, picture),
        Odd("an icon of a site", og("https://example.com/favicon.ico") + good, picture),
        Odd("a vector logo", og("https://example.com/logo.svg?v=2") + good, picture),
        Odd("an emoji of WordPress", og("https://s.w.org/images/core/emoji/13/72x72/1f389.png") + good, picture),
        Odd("a counter", og("https://sb.scorecardresearch.com/p?c1=2") + good, picture),
    ]

    static let markup = [
        Odd("a tag that never ends", good + "<meta property='og:image' content='https://evil.test/x", picture),
        Odd("a comment that never ends", good + "<!-- <meta property='og:image' content='/x.jpg'>", picture),
        Odd("pictures in a comment", "<!-- \(og("/no.jpg")) -->" + good, picture),
        Odd("pictures in a script", "<script>var a='\(og("/no.jpg"))'</script>" + good, picture),
        Odd("pictures in a text field", "<textarea>\(og("/no.jpg"))</textarea>" + good, picture),
        Odd("capitals everywhere", "<META PROPERTY='OG:IMAGE' CONTENT='https://example.com/good.jpg'>", picture),
        Odd(
            "an attribute twice, the first counts", "<meta property='og:image' content='/good.jpg' content='/no.jpg'>",
            picture),
        Odd("no quotes", "<meta property=og:image content=/good.jpg>", picture),
        Odd("nested a thousand times", String(repeating: "<div>", count: 3_000) + good, picture),
        Odd("ten thousand pictures before it", String(repeating: og("data:,x"), count: 10_000) + good, nil),
        Odd("a frame set", "<frameset><frame src='https://evil.test/'></frameset>" + good, picture),
        Odd("null bytes", "<meta property='og:im\0age' content='/no.jpg'>" + good, picture),
        Odd("nothing at all", "", nil),
        Odd("only text", "hello", nil),
        Odd(
            "an entity bomb", "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]><p>&b;&b;</p>" + good, picture
        ),
        Odd("an external entity", "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;" + good, picture),
    ]

    static let data = [
        Odd(
            "JSON-LD with a comma too many",
            "<script type='application/ld+json'>{\"@type\":\"Article\",\"image\":[\"/good.jpg\",],}</script>", picture),
        Odd(
            "JSON-LD in a comment",
            "<script type='application/ld+json'><!-- {\"@type\":\"Article\",\"image\":\"/good.jpg\"} --></script>",
            picture),
        Odd(
            "JSON-LD that breaks off",
            "<script type='application/ld+json'>{\"@type\":\"Article\",\"image\":\"/good.jpg\",\"x\":{</script>",
            picture),
        Odd(
            "JSON-LD nested without end",
            "<script type='application/ld+json'>" + String(repeating: "[", count: 20_000) + "</script>" + good, picture),
        Odd(
            "JSON-LD in circles",
            "<script type='application/ld+json'>{\"@graph\":[{\"@id\":\"#a\",\"@type\":\"Article\",\"image\":{\"@id\":\"#a\"}}]}</script>",
            nil),
        Odd(
            "JSON-LD of an author only",
            "<script type='application/ld+json'>{\"@type\":\"Person\",\"image\":\"/face.jpg\"}</script>", nil),
        Odd(
            "JSON-LD with numbers as pictures",
            "<script type='application/ld+json'>{\"@type\":\"Article\",\"image\":[1,null,true,{}]}</script>" + good,
            picture),
        Odd(
            "a srcset of junk",
            content("<img srcset=', ,,' src='/good.jpg' width=600>"), picture),
        Odd(
            "a srcset with commas in an address", content("<img srcset='/w_1,h_2/small.jpg 300w, /good.jpg 900w'>"),
            picture),
        Odd("sizes that are no numbers", content("<img src='/good.jpg' width='∞' height='-5'>"), picture),
        Odd("sizes beyond all numbers", content("<img src='/good.jpg' width='99999999999999999999999'>"), picture),
        Odd(
            "a pixel and an avatar", content("<img src='/p.gif' width=1 height=1><img class=avatar src='/me.jpg'>"), nil
        ),
        Odd("a banner of the wrong shape", content("<img src='/x.jpg' width=1200 height=90>"), nil),
        Odd(
            "a lazy picture behind a placeholder",
            content("<img src='data:image/gif;base64,R0lGOD' data-src='/good.jpg'>"), picture),
        Odd(
            "an advertisement before the picture",
            "<div class='ad-slot'><img src='/ad.jpg' width=900></div>" + content("<img src='/good.jpg'>"), picture),
        Odd(
            "a picture that hides", content("<img style='display: none' src='/no.jpg' width=900><img src='/good.jpg'>"),
            picture),
    ]

    @Test("addresses that lead nowhere are passed over", arguments: addresses)
    func passesOver(_ odd: Odd) async throws { try await check(odd) }

    @Test("markup that no browser made is read as browsers read it", arguments: markup)
    func readsMarkup(_ odd: Odd) async throws { try await check(odd) }

    @Test("data that is broken or built to hurt gives what can be had", arguments: data)
    func readsData(_ odd: Odd) async throws { try await check(odd) }

    /// Numbers whose product, square or conversion no machine word holds.
    static let numbers = [
        "9223372036854775807", "-9223372036854775808", "1e19", "-1e300", "1e999", "inf", "nan", "4611686018427387904",
    ]

    @Test("numbers beyond all words upset nothing, wherever a page or an oEmbed answer has them", arguments: numbers)
    func absurd(_ number: String) async throws {
        let data = ["@type", "@id", "url", "name", "width", "height"].map { "\"\($0)\":\(number)" }
        // A page's `1e19` is 1 to every browser: a tracking pixel.
        _ = try await PageDesk.findings(Self.content("<img src='/x.jpg' width='\(number)' height='\(number)'>"))
        let pages = [
            Self.content("<img srcset='/good.jpg \(number)w, /good.jpg \(number)x' sizes='\(number)px'>"),
            Self.good
                + ["og", "twitter"].map { prefix in
                    "<meta property='\(prefix):image:width' content='\(number)'>"
                        + "<meta property='\(prefix):image:height' content='\(number)'>"
                }.joined(),
            "<script type='application/ld+json'>{\"@graph\":["
                + data.map { "{\"@type\":\"Article\",\($0),\"image\":{\"url\":\"/no.svg\",\($0)}}" }
                .joined(separator: ",") + "]}</script>\(Self.good)",
            "<meta http-equiv='refresh' content='\(number); url=/x'><link rel='icon' sizes='\(number)x\(number)' href='/i.png'>"
                + Self.good,
        ]
        for page in pages { try await check(Odd("", page, Self.picture)) }
        for field in ["type", "title", "url", "width", "height", "thumbnail_width", "thumbnail_height", "version"] {
            let answer = "{\"type\":\"photo\",\"url\":\"\(Self.picture)\",\"\(field)\":\(number)}"
            _ = try await PageDesk.findings(Self.good, embed: answer).candidates
        }
    }

    private func check(_ odd: Odd) async throws {
        let text = PageText.decode(Array(odd.html.utf8))
        let findings = try await PageDesk.findings(text, at: "https://example.com/a/post.html")
        #expect(findings.candidates.first?.url == odd.image)
        #expect(findings.candidates.count <= 24)
    }

    @Test("every charset that pages declare, by mark, header or late meta, gives the same title")
    func charsets() async throws {
        let pages: [(String, [UInt8], String?)] = [
            (
                "mark beats header", [0xEF, 0xBB, 0xBF] + Array("<title>Käse</title>".utf8),
                "text/html; charset=iso-8859-1"
            ),
            (
                "header beats meta", Array("<meta charset=utf-8><title>K".utf8) + [0xE4] + Array("se</title>".utf8),
                "text/html; charset=ISO-8859-1"
            ),
            (
                "late meta",
                Array((String(repeating: " ", count: 7_000) + "<meta charset=latin1><title>K").utf8) + [0xE4]
                    + Array("se</title>".utf8), nil
            ),
            (
                "http-equiv",
                Array("<meta http-equiv=content-type content='text/html; charset=windows-1252'><title>K".utf8) + [0xE4]
                    + Array("se</title>".utf8), nil
            ),
            (
                "UTF-16 by its mark",
                [0xFF, 0xFE] + Array("<title>Käse</title>".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, nil
            ),
            ("an unknown name falls back", Array("<meta charset=klingon><title>Käse</title>".utf8), nil),
            ("ASCII that says it is UTF-16", Array("<meta charset=utf-16><title>Käse</title>".utf8), nil),
        ]
        for (name, bytes, type) in pages {
            let findings = try await PageDesk.findings(PageText.decode(bytes, contentType: type))
            #expect(findings.title == "Käse", "\(name)")
        }
    }

    @Test(
        "only a copy for phones is believed about its original, within one domain and never for a bare home page",
        arguments: [
            ("https://m.example.co.uk/a", "https://www.example.co.uk/a", true),
            ("https://amp.example.com/a", "https://example.com/a", true),
            ("https://example.com/a/amp/", "https://example.com/a/", true),
            ("https://m.example.co.uk/a", "https://other.co.uk/a", false),
            ("https://m.example.com/a", "https://example.com/", false),
            ("https://example.com/a", "https://example.com/b", false),
        ])
    func canonical(_ page: String, _ original: String, _ isBelieved: Bool) async throws {
        let findings = try await PageDesk.findings("<link rel=canonical href='\(original)'>", at: page)
        #expect(findings.canonical == (isBelieved ? original : nil))
    }
}
