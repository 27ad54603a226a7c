import FoundationEssentials
import Testing

@testable import Hooks

@Suite("A scheme that sends the secret")
struct TokenSchemeTests {
    @Test("Telegram's token is taken as it is, with the update's id")
    func telegram() throws {
        let header = "X-Telegram-Bot-Api-Secret-Token"
        let delivery = try verdict(.telegram, secret: "a_B-9", headers: [(header, "a_B-9")], body: "{\"update_id\":7}")
        #expect(delivery.id == "7")
        for wrong in ["a_B-", "a_B-99", "A_B-9", "b"] {
            #expect(
                refusal { () throws(SignatureRefusal) in
                    try verdict(.telegram, secret: "a_B-9", headers: [(header, wrong)])
                } == .wrong)
        }
        for secret in ["a b", "ä", String(repeating: "a", count: 257)] {
            #expect(
                refusal { () throws(SignatureRefusal) in
                    try verdict(.telegram, secret: secret, headers: [(header, secret)])
                } == .secretUnusable)
        }
    }

    @Test("Mattermost's token stands in a form or in JSON, once")
    func mattermost() throws {
        let bodies = [
            "token=t%2B1&post_id=p", "{\"token\":\"t+1\",\"post_id\":\"p\"}",
            "\n {\"post_id\":\"p\",\"token\":\"t+1\"}",
        ]
        for body in bodies { #expect(try verdict(.mattermost, secret: "t+1", headers: [], body: body).id == "p") }
        for body in [
            "", "token=", "token=t+1", "token=t%2B1&token=t%2B1", "token[]=t%2B1", "{\"token\":[\"t+1\"]}", "[\"t+1\"]",
            "{\"token\":\"t+1\",\"token\":\"x\"}", "{\"token\":\"t+1\"", "{\"a\":{\"token\":\"t+1\"}}", "null", "7",
            "\"t+1\"",
        ] {
            #expect(throws: SignatureRefusal.self, "\(body)") {
                try verdict(.mattermost, secret: "t+1", headers: [], body: body)
            }
        }
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(throws: SignatureRefusal.self) {
            try verdict(.rocketchat, secret: "t", headers: [], body: "{\"a\":\(deep),\"token\":\"t\"}")
        }
        #expect(
            try verdict(.rocketchat, secret: "t", headers: [], body: "{\"token\":\"t\",\"message_id\":\"m\"}").id == "m"
        )
    }

    @Test("Basic credentials may have colons in the password")
    func basic() throws {
        let right = "Basic " + Data("ada:a:b".utf8).base64EncodedString()
        let delivery = try verdict(
            .postmark, secret: "ada:a:b", headers: [("authorization", right)], body: "{\"MessageID\":\"m\"}")
        #expect(delivery.id == "m")
        _ = try verdict(.cloudmailin, secret: "ada:a:b", headers: [("Authorization", "bAsIc" + right.dropFirst(5))])
        for wrong in [
            "Basic", "Basic !!", "Bearer abc", "Basic " + Data("ada:a".utf8).base64EncodedString(), "Basic YQ",
        ] {
            #expect(throws: SignatureRefusal.self, "\(wrong)") {
                try verdict(.postmark, secret: "ada:a:b", headers: [("Authorization", wrong)])
            }
        }
    }

    @Test("no scheme works with an empty or blank secret", arguments: SignatureScheme.allCases)
    func emptySecret(_ scheme: SignatureScheme) {
        for secret in ["", " ", "\r\n", "\t \n"] {
            let code = refusal { () throws(SignatureRefusal) in try verdict(scheme, secret: secret, headers: []) }
            #expect(code == .secretUnusable)
        }
    }

    @Test(
        "a secret that is not in the scheme's form is refused",
        arguments: [
            (SignatureScheme.standardWebhooks, "whsec_"), (.standardWebhooks, "whsec_***"), (.svix, "whpk_AAAA"),
            (.svix, "whsk_AAAA"), (.standardWebhooks, "a b c d e f g h i"), (.discord, "d75a"), (.discord, "zz"),
            (.sendgrid, "AAAA"), (.sendgrid, "!"), (.sendgrid, "-----BEGIN PUBLIC KEY-----"), (.postmark, "ada"),
            (.sns, "AAAA"), (.sns, "arn:aws:sns:us-east-1:1:x"), (.postal, "AAAA"), (.postal, "!"),
        ])
    func unusable(_ scheme: SignatureScheme, _ secret: String) {
        let code = refusal { () throws(SignatureRefusal) in try verdict(scheme, secret: secret, headers: []) }
        #expect(code == .secretUnusable)
    }

    @Test("an unknown sender has no check")
    func unknown() {
        for name in ["", "GitHub", "github ", "none", "standardWebhooks"] {
            #expect(SignatureScheme(rawValue: name) == nil)
        }
    }

    @Test(
        "a refusal shows neither the secret nor anything made with it",
        .enabled(if: Samples.areThere, "the vectors are not on this machine"), arguments: SignatureVector.all)
    func silent(_ vector: SignatureVector) {
        let request = vector.request
        var refusals: [SignatureRefusal?] = []
        for addition in ["&x=y", "&x=z"] {
            let body = request.body + Array(addition.utf8)
            let changed = SignedRequest(headers: request.headers, body: body, url: request.url)
            do { _ = try vector.verify(changed) } catch { refusals.append(error as? SignatureRefusal) }
        }
        // The expected values of the two differ, so what is said of both holds neither.
        if let first = refusals.first { #expect(refusals == [first, first] && first != nil) }
        for refusal in refusals {
            let shown = String(reflecting: refusal)
            // Shorter ones are words that a sentence may hold.
            for secret in [vector.secret, vector.publicKey].compactMap(\.self) where secret.count > 8 {
                #expect(!shown.contains(secret))
            }
        }
    }
}
