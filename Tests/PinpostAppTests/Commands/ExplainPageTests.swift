import PinpostCore
import Testing

@testable import PinpostApp

/// The fields that `explain --as page --json` has agreed on.
@Suite("explain --as page", .timeLimit(.minutes(10)))
struct ExplainPageTests {
    private func element(
        _ name: String, _ attributes: [String: String] = [:], text: String = ""
    ) -> PageOutline.Element {
        PageOutline.Element(name: name, attributes: attributes, text: text)
    }

    private func json(_ elements: [PageOutline.Element], embed: String? = nil) throws -> String {
        let page = ExplainPage(
            page: [], url: "https://a.example/x/page", contentType: nil, embed: embed.map { Array($0.utf8) })
        return try JSONOutput.line(try page.explanation(of: PageOutline(elements)))
    }

    @Test("a page with a picture has every field, and its candidates in order")
    func fields() throws {
        let line = try json([
            element("title", text: "The title"),
            element("meta", ["property": "og:image", "content": "../a.jpg"]),
            element("meta", ["property": "og:image:width", "content": "1200"]),
            element("meta", ["property": "og:image:height", "content": "630"]),
            element("meta", ["name": "twitter:image", "content": "//b.example/b.png?c=1&d"]),
            element("meta", ["name": "description", "content": "What it is about"]),
            element("meta", ["property": "og:site_name", "content": "A site"]),
            element("link", ["rel": "alternate", "type": "application/json+oembed", "href": "/oembed?u"]),
        ])
        let expected =
            #"{"candidates":[{"height":630,"rule":"og:image","url":"https://a.example/a.jpg","width":1200},"#
            + #"{"height":null,"rule":"twitter:image","url":"https://b.example/b.png?c=1&d","width":null}],"#
            + #""description":"What it is about","image":"https://a.example/a.jpg","#
            + #""oembed_url":"https://a.example/oembed?u","rule":"og:image","site":"A site","title":"The title"}"#
        #expect(line == expected + "\n")
    }

    @Test("what the page does not say is null, and the list of candidates empty")
    func nothing() throws {
        let expected =
            #"{"candidates":[],"description":null,"image":null,"oembed_url":null,"rule":null,"site":null,"title":null}"#
        #expect(try json([]) == expected + "\n")
    }

    @Test("the site's oEmbed answer comes first, its address without HTML's escapes")
    func embed() throws {
        let answer = #"{"type":"video","thumbnail_url":"https://a.example/t.jpg?a=1&amp;b=2","thumbnail_width":480}"#
        let line = try json([element("meta", ["property": "og:image", "content": "/a.jpg"])], embed: answer)
        let first =
            #"{"candidates":[{"height":null,"rule":"oembed thumbnail","url":"https://a.example/t.jpg?a=1&b=2","#
        #expect(line.hasPrefix(first + #""width":480},{"#))
    }

    @Test("what was saved of a link to a picture is that picture")
    func direct() async throws {
        try await Stage.open { stage in
            let gif: [UInt8] = Array("GIF89a".utf8) + [0x40, 0x01, 0xF0, 0x00] + [UInt8](repeating: 0, count: 40)
            let file = try stage.file("saved", gif)
            let url = "https://a.example/picture?size=large"
            let outcome = try await stage.run("explain", file, "--as", "page", "--url", url, "--json")
            #expect(outcome.exit == .done, "\(outcome.errors)")
            #expect(
                outcome.output
                    == #"{"candidates":[{"height":240,"rule":"direct","url":"\#(url)","width":320}],"description":null,"#
                    + #""image":"\#(url)","oembed_url":null,"rule":"direct","site":null,"title":null}"# + "\n")
        }
    }
}
