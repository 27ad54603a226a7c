import PinpostCore
import Testing

@testable import Hooks

@Suite("A message that is saved on Discord")
struct DiscordCommandTests {
    private func content(_ members: String) throws -> MessageContent {
        let json = """
            {"data":{"name":"Save to Pinry","type":3,"target_id":"9","resolved":{"messages":{"9":{"id":"9",\(members)}}}}}
            """
        let command = try #require(DiscordCommand(JSONTree(Array(json.utf8))))
        return try ProviderReading.content(of: [command.draft(by: Hook.ID("h"))], isAlbum: false, knownBoards: [])
    }

    @Test("has the page of its embed as source of the embed's picture")
    func embed() throws {
        let content = try content(
            #""content":"","embeds":[{"title":"A post","url":"https://b.example/p","image":{"url":"https://b.example/p.png"},"thumbnail":{"url":"https://b.example/t.png"}}]"#
        )
        #expect(content.summary == ["image https://b.example/p.png"])
        #expect(content.wishes.description == "A post" && content.wishes.source == "https://b.example/p")
    }

    @Test("with several pictures of one page is an album of that page; several pages are no source")
    func gallery() throws {
        func embeds(_ pages: String...) -> String {
            let list = pages.enumerated().map {
                "{\"url\":\"\($1)\",\"image\":{\"url\":\"https://b.example/\($0).png\"}}"
            }
            return "\"content\":\"\",\"embeds\":[\(list.joined(separator: ","))]"
        }
        let one = try content(embeds("https://b.example/g", "https://b.example/g"))
        #expect(one.summary == ["image https://b.example/0.png", "image https://b.example/1.png"])
        #expect(one.wishes.source == "https://b.example/g")
        let two = try content(embeds("https://b.example/g", "https://b.example/h"))
        #expect(two.items.count == 2 && two.wishes.source == nil)
    }

    @Test("shows a small picture only where there is no page behind it")
    func thumbnail() throws {
        let small = #""thumbnail":{"url":"https://b.example/t.png"}"#
        #expect(try content("\"embeds\":[{\(small)}]").summary == ["image https://b.example/t.png"])
        #expect(
            try content("\"embeds\":[{\"url\":\"https://b.example/p\",\(small)}]").summary == [
                "link https://b.example/p"
            ])
    }

    @Test("of components alone shows their pictures; those on Discord's hosts are files, films are none")
    func components() throws {
        let content = try content(
            #"""
            "content":"","flags":32768,"components":[{"type":17,"components":[{"type":10,"content":"The fair #v2"},\#
            {"type":12,"items":[{"media":{"url":"https://cdn.discordapp.com/attachments/1/2/a.png?ex=1","content_type":"image/png"}},\#
            {"media":{"url":"https://b.example/c.png"}},{"media":{"url":"https://b.example/d.mp4","content_type":"video/mp4"}}]},\#
            {"type":9,"components":[{"type":10,"content":"more"}],"accessory":{"type":11,"media":{"url":"https://b.example/e.png"}}}]}]
            """#)
        #expect(
            content.summary == [
                "media https://cdn.discordapp.com/attachments/1/2/a.png?ex=1 -", "image https://b.example/c.png",
                "image https://b.example/e.png",
            ])
        #expect(content.wishes.description == "The fair" && content.wishes.tags == ["v2"])
        #expect(content.skipped.map(\.reason) == ["films are not pinned"])
    }

    @Test("has the pictures that type or name tell of")
    func kinds() throws {
        let content = try content(
            """
            "content":"x","attachments":[\
            {"filename":"IMG_3.heic","content_type":"application/octet-stream","url":"https://cdn.discordapp.com/a"},\
            {"filename":"b.jpg","content_type":null,"url":"https://cdn.discordapp.com/b"},\
            {"filename":"c.mov","url":"https://cdn.discordapp.com/c"}]
            """)
        #expect(
            content.summary == [
                "media https://cdn.discordapp.com/a IMG_3.heic", "media https://cdn.discordapp.com/b b.jpg",
            ])
        #expect(content.skipped.map(\.reason) == ["films are not pinned"])
    }

    @Test("that holds itself very often ends")
    func deep() throws {
        let start = String(repeating: #"{"type":17,"components":["#, count: 12)
        let end = String(repeating: "]}", count: 12)
        let picture = #"{"type":11,"media":{"url":"https://b.example/e.png"}}"#
        #expect(try content("\"content\":\"\",\"components\":[\(start)\(picture)\(end)]").summary.isEmpty)
    }
}
