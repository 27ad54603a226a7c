import Testing

@testable import PinpostCore

@Suite("Links that carry their own key")
struct SignedLinkTests {
    @Test(
        "are shown without it",
        arguments: [
            (
                "https://cdn.discordapp.com/attachments/1/2/a.png?ex=6&is=5&hm=abc&",
                "https://cdn.discordapp.com/attachments/1/2/a.png"
            ),
            (
                "https://media.discordapp.net/a.png?ex=6&is=5&hm=abc&width=9#x",
                "https://media.discordapp.net/a.png?width=9#x"
            ),
            ("https://b.s3.amazonaws.com/a.png?X-Amz-Signature=1&X-Amz-Date=2", "https://b.s3.amazonaws.com/a.png"),
            ("https://example.org/?ex=1&hm=2", "https://example.org/?ex=1&hm=2"),
            ("https://example.org/a", "https://example.org/a"),
        ])
    func shown(_ url: String, _ expected: String) { #expect(SignedLink.shown(url) == expected) }

    @Test("are drawn on a card, and become a source, without it")
    func published() {
        let signed = "https://cdn.discordapp.com/attachments/1/2/a.txt?ex=6&is=5&hm=abc"
        let plain = "https://cdn.discordapp.com/attachments/1/2/a.txt"
        #expect(CardText(link: signed).url == plain)
        #expect(CardText(link: "https://files.slack.com/files-pri/T1-F1/a.png").url == "files.slack.com")
        var page = LinkPicture(.card(CardText(link: signed)))
        page.canonical = "https://b.s3.amazonaws.com/page?id=1&X-Amz-Signature=1"
        let draft = PinDraft(description: "x", source: plain).completed(by: page, of: FoundLink(url: signed))
        #expect(draft.source == "https://b.s3.amazonaws.com/page?id=1")
        page.canonical = "https://files.slack.com/files-pri/T1-F1/a.png"
        #expect(
            PinDraft(description: "x", source: plain).completed(by: page, of: FoundLink(url: signed)).source == plain)
    }

    @Test("that open nothing without it are not shown")
    func hidden() {
        #expect(SignedLink.shown("https://files.slack.com/files-pri/T1-F1/a.png") == nil)
        #expect(SignedLink.shown("https://acme.slack.com/files-tmb/T1-F1/a.png?t=xoxe-1") == nil)
        #expect(SignedLink.shown("https://acme.slack.com/archives/C1/p1") == "https://acme.slack.com/archives/C1/p1")
    }
}
