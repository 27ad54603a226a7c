import PinpostCore
import Testing

@testable import Hooks

@Suite("A post of Slack")
struct SlackPostTests {
    private static let message = "https://acme.slack.com/archives/C9/p1700000000000100"

    private func content(_ message: String) throws -> MessageContent {
        let post = try #require(SlackPost(JSONTree(Array(message.utf8))))
        let delivery = StoredDelivery(contentType: nil, hook: Hook.ID("h"), bytesLimit: 0) { BodyReader([]) }
        return try ProviderReading.content(of: [post.draft(of: delivery)], isAlbum: false, knownBoards: [])
    }

    private func hasSomething(_ message: String) throws -> Bool {
        try #require(SlackPost(JSONTree(Array(message.utf8)))).hasSomething
    }

    private func passedOn(_ members: String, text: String = "") -> String {
        """
        {"text":"\(text)","attachments":[{"is_share":true,"is_msg_unfurl":true,"from_url":"\(Self.message)",\(members)}]}
        """
    }

    @Test("that passes a message on brings its files, and never the link to the message")
    func files() throws {
        let file = """
            "files":[{"id":"F1","name":"kite.png","mimetype":"image/png","url_private":"https://files.slack.com/F1/kite.png"}]
            """
        let alone = try content(passedOn("\"text\":\"A kite\",\(file)"))
        #expect(alone.summary == ["media https://files.slack.com/F1/kite.png kite.png"])
        #expect(alone.wishes.description == "A kite" && alone.wishes.source == nil && alone.skipped.isEmpty)
        let commented = passedOn("\"text\":\"A kite\",\(file)", text: "for the wall #air")
        #expect(try content(commented).wishes.description == "for the wall")
        #expect(try content(commented).wishes.tags == ["air"] && hasSomething(commented))
    }

    @Test("that passes a message on brings its links")
    func links() throws {
        let post = passedOn("\"text\":\"read <https://example.org/a|this>\"")
        #expect(try content(post).summary == ["link https://example.org/a"])
        #expect(try hasSomething(post))
        #expect(try !hasSomething(passedOn("\"text\":\"nothing in it\"")))
    }

    @Test("with a link to another message says that it cannot be pinned")
    func permalink() throws {
        let post = "{\"text\":\"see <\(Self.message)>\"}"
        #expect(try content(post).summary.isEmpty && !hasSomething(post))
        #expect(try content(post).skipped.map(\.name) == [Self.message])
        let both = try content("{\"text\":\"<\(Self.message)> <https://example.org/b>\"}")
        #expect(both.summary == ["link https://example.org/b"])
    }

    @Test(
        "of a program shows its pictures, else its links",
        arguments: [
            (
                #"{"text":"","attachments":[{"title":"Build","title_link":"https://ci.example/7","image_url":"https://ci.example/7.png"}]}"#,
                "image https://ci.example/7.png", "Build", "https://ci.example/7"
            ),
            (
                #"{"text":"A chart","blocks":[{"type":"section","text":{"type":"mrkdwn","text":"A chart"}},{"type":"image","image_url":"https://c.example/c.png","alt_text":"chart"}]}"#,
                "image https://c.example/c.png", "A chart", nil
            ),
            (
                #"{"text":"","blocks":[{"type":"image","slack_file":{"id":"F7"},"alt_text":"a bay"}]}"#, "media F7 -",
                "a bay", nil
            ),
            (
                #"{"text":"","blocks":[{"type":"section","fields":[{"type":"mrkdwn","text":"*New* <https://n.example/|post>"}]}]}"#,
                "link https://n.example/", "*New* post", nil
            ),
            (
                #"{"text":"","blocks":[{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"link","url":"https://r.example/"}]}]}]}"#,
                "link https://r.example/", "Link from r.example", nil
            ),
        ])
    func shown(_ message: String, _ item: String, _ description: String, _ source: String?) throws {
        let content = try content(message)
        #expect(content.summary == [item])
        if !description.hasPrefix("Link") { #expect(content.wishes.description == description) }
        #expect(content.wishes.source == source)
        #expect(try hasSomething(message))
    }

    @Test("with a link of its own is not asked what the link's preview shows")
    func preview() throws {
        let content = try content(
            #"{"text":"<https://example.org/a>","attachments":[{"from_url":"https://example.org/a","image_url":"https://example.org/og.png","title":"T"}]}"#
        )
        #expect(content.summary == ["link https://example.org/a"])
    }

    @Test("names its files; what type and name say decides which are pictures")
    func kinds() throws {
        let content = try content(
            """
            {"text":"","files":[\
            {"id":"A","name":"IMG_2.HEIC","mimetype":"application/octet-stream","url_private":"https://files.slack.com/a"},\
            {"id":"B","name":"clip.mov","url_private":"https://files.slack.com/b"},\
            {"id":"C","name":"notes.txt","mimetype":"text/plain","url_private":"https://files.slack.com/c"},\
            {"id":"D","mode":"file_access","file_access":"check_file_info"}]}
            """)
        #expect(content.summary == ["media https://files.slack.com/a IMG_2.HEIC", "media D -"])
        #expect(content.skipped.map(\.reason) == ["films are not pinned", "not a picture"])
    }

    @Test("mentions a channel without making a tag of it")
    func channel() {
        #expect(SlackText("seen in <#C2|general> by <@U1|ada>").text == "seen in general by ada")
    }
}
