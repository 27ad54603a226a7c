import PinpostCore
import Testing

@testable import Mail

@Suite("Tokens in what goes back to senders")
struct TokenRedactionTests {
    private let token = "abcdefghijklmnopqrstuvwxyz23"

    @Test(
        "none is quoted, however its domain is spelt",
        arguments: ["bücher.example", "BÜCHER.example", "bu\u{308}cher.example", "xn--bcher-kva.example"])
    func spellings(_ domain: String) throws {
        for mailbox in ["pins@bücher.example", "pins@xn--bcher-kva.example"] {
            let redaction = TokenRedaction(addressing: try #require(MailAddressing(mailAddress: mailbox)))
            let text = redaction.redact("to pins+\(token)@\(domain).jpg, a@\(domain) and \(token)@\(domain)")
            #expect(!text.contains("abcdefgh"), "\(text)")
            #expect(text.contains("pins+…") && text.contains(".jpg, a@\(domain) and "), "\(text)")
        }
    }

    @Test("what is not ours stays")
    func others() throws {
        let redaction = TokenRedaction(addressing: try #require(MailAddressing(mailAddress: "pins@bücher.example")))
        let text = "pins+\(token)@bucher.example, @, a@b, @@bücher.example"
        #expect(redaction.redact(text) == text)
    }
}
