import Testing

@testable import PinpostCore

@Suite("Our own secrets in links")
struct OwnSecretsTests {
    private static let token = "abcdefghijklmnopqrstuvwx2345"

    @Test("a link that people see has lost the parameters with a secret, and stays to the letter where there is none")
    func links() {
        for link in ["https://a.example/x?b=%C3%BC&c#d", "https://a.example/" + String(repeating: "a", count: 29)] {
            #expect(OwnSecrets.removed(from: link) == link)
        }
        let hidden = "pins%2B\(Self.token)%40mail.example"
        #expect(
            OwnSecrets.removed(from: "https://a.example/x?a=1&u=\(hidden)&b=2#f") == "https://a.example/x?a=1&b=2")
        #expect(OwnSecrets.removed(from: "https://a.example/x?u=\(hidden)") == "https://a.example/x")
        #expect(OwnSecrets.removed(from: "https://a.example/x#\(hidden)") == "https://a.example/x")
        #expect(OwnSecrets.removed(from: "https://a.example/\(hidden)/x") == nil)
    }

    @Test("what a page says of itself loses addresses and secrets before it describes a pin")
    func pages() {
        let link = FoundLink(url: "https://a.example/?u=pins%2B\(Self.token)%40mail.example")
        let draft = PinDraft(description: DefaultDescription.ofLink(link.url), source: nil)
        var page = LinkPicture(
            .card(CardText(link: link.url)), description: "Hello pins+\(Self.token)@mail.example\n\nYes")
        #expect(draft.completed(by: page, of: link).description == "Hello\n\nYes")
        page.description = "pins%2B\(Self.token)"
        #expect(draft.completed(by: page, of: link).description == draft.description)
        #expect(CardText(link: link.url).url == "https://a.example/")
    }

    @Test("random bytes are read without trouble")
    func random() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let bytes = (0..<64).map { _ in Array("%=&#xu\\25bB;_ph".utf8).randomElement(using: &generator) ?? 0 }
            _ = OwnSecrets.removed(from: "https://a/" + String(decoding: bytes, as: UTF8.self))
        }
    }
}
