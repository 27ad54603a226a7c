import Cryptography
import FoundationEssentials
import Testing

@testable import Hooks

@Suite("A scheme without time")
struct UntimedSchemeTests {
    private static let params = [
        "From=%2B14158675309", "Digits=1234", "CallSid=CA1234567890ABCDE", "To=%2B18005551212", "Caller=%2B14158675309",
    ].joined(separator: "&")
    private static let url = "https://mycompany.com/myapp.php?foo=1&bar=2"

    @Test("GitHub's delivery id is told, and sha1 is not enough")
    func github() throws {
        let right = ("X-Hub-Signature-256", "sha256=" + hexCode(of: "{}", key: "k"))
        let id = ("x-github-delivery", "d-1")
        #expect(try verdict(.github, secret: "k", headers: [right, id], body: "{}").id == "d-1")
        #expect(try verdict(.whatsapp, secret: "k", headers: [right], body: "{}").id == nil)
        for wrong in [
            "sha1=" + hexCode(of: "{}", key: "k", hash: .sha1), hexCode(of: "{}", key: "k"), "sha256=", "sha256=zz",
            "sha256=" + base64Code(of: "{}", key: "k"), "sha256=" + hexCode(of: "{}", key: "k") + "00",
        ] {
            let code = refusal { () throws(SignatureRefusal) in
                try verdict(.github, secret: "k", headers: [("X-Hub-Signature-256", wrong)], body: "{}")
            }
            #expect(code == .malformed, "\(wrong)")
        }
    }

    @Test(
        "base64 codes of the body are taken",
        arguments: [
            (SignatureScheme.line, "X-Line-Signature"), (.shopify, "X-Shopify-Hmac-SHA256"),
            (.hookdeck, "x-hookdeck-signature"),
        ])
    func base64(_ scheme: SignatureScheme, _ header: String) throws {
        let right = base64Code(of: "{\"ä\":1}", key: "k")
        _ = try verdict(scheme, secret: "k", headers: [(header, right)], body: "{\"ä\":1}")
        #expect(
            refusal { () throws(SignatureRefusal) in
                try verdict(scheme, secret: "k", headers: [(header, right)], body: "{\"ä\":1} ")
            } == .wrong)
        #expect(
            refusal { () throws(SignatureRefusal) in
                try verdict(scheme, secret: "k ", headers: [(header, right)], body: "{\"ä\":1}")
            } == .wrong)
    }

    @Test("Hookdeck signs with the old and the new secret, in two fields")
    func twoFields() throws {
        let right = ("X-Hookdeck-Signature", base64Code(of: "{}", key: "k"))
        let second = ("X-Hookdeck-Signature-2", base64Code(of: "{}", key: "k"))
        let wrong = ("X-Hookdeck-Signature", base64Code(of: "{}", key: "old"))
        for headers in [[right], [wrong, second], [second]] {
            _ = try verdict(.hookdeck, secret: "k", headers: headers, body: "{}")
        }
        #expect(throws: SignatureRefusal.self) { try verdict(.hookdeck, secret: "k", headers: [wrong], body: "{}") }
        #expect(throws: SignatureRefusal.self) { try verdict(.shopify, secret: "k", headers: [second], body: "{}") }
    }

    @Test("any described HMAC is taken", arguments: HMACFormat.Algorithm.allCases, SignatureEncoding.allCases)
    func described(_ algorithm: HMACFormat.Algorithm, _ encoding: SignatureEncoding) throws {
        let hash: HMAC.Hash = algorithm == .sha1 ? .sha1 : algorithm == .sha256 ? .sha256 : .sha512
        let code = encoding == .hex ? hexCode(of: "x", key: "k", hash: hash) : base64Code(of: "x", key: "k", hash: hash)
        let named = algorithm.rawValue + "=" + code
        for (format, value) in [
            (HMACFormat(header: "Sig", algorithm: algorithm, encoding: encoding), code),
            (HMACFormat(header: "Sig", algorithm: algorithm, encoding: encoding), named),
            (HMACFormat(header: "Sig", prefix: "v=", algorithm: algorithm, encoding: encoding), "v=" + code),
            (HMACFormat(header: "Sig"), named), (HMACFormat(header: "Sig", algorithm: algorithm), "sha256=00, " + code),
        ] {
            _ = try verdict(.genericHMAC, secret: "k", headers: [("sig", value)], body: "x", format: format)
            let changed = refusal { () throws(SignatureRefusal) in
                try verdict(.genericHMAC, secret: "k", headers: [("sig", value)], body: "y", format: format)
            }
            #expect(changed == .wrong)
        }
        for other in HMACFormat.Algorithm.allCases where other != algorithm {
            let format = HMACFormat(header: "Sig", algorithm: other)
            let refused = refusal { () throws(SignatureRefusal) in
                try verdict(.genericHMAC, secret: "k", headers: [("Sig", named)], body: "x", format: format)
            }
            #expect(refused == .malformed)
        }
        let otherEncoding: SignatureEncoding = encoding == .hex ? .base64 : .hex
        let format = HMACFormat(header: "Sig", algorithm: algorithm, encoding: otherEncoding)
        #expect(throws: SignatureRefusal.self) {
            try verdict(.genericHMAC, secret: "k", headers: [("Sig", code)], body: "x", format: format)
        }
    }

    @Test("Twilio's signature counts with and without the port, wherever it was made")
    func twilioPorts() throws {
        let signed = ["https://h/a?b", "https://h:443/a?b", "http://h/a?b", "http://h:80/a?b", "https://h:8443/a?b"]
        for url in signed {
            let right = [("X-Twilio-Signature", base64Code(of: url + "AxBy", key: "k", hash: .sha1))]
            let twin = url.split(separator: ":").count == 3 ? "\(url.prefix { $0 != ":" })://h/a?b" : url
            for given in url.contains("8443") ? [url] : [url, twin] {
                _ = try verdict(.twilio, secret: "k", headers: right, body: "B=y&A=x", url: given)
            }
            for other in ["https://i/a?b", url + "c", "ftp://h/a?b", "", "https://", "https://:443/a?b"] {
                #expect(throws: SignatureRefusal.self, "\(other)") {
                    try verdict(.twilio, secret: "k", headers: right, body: "B=y&A=x", url: other)
                }
            }
        }
    }

    @Test("Twilio's form is sorted, each value once")
    func twilioForm() throws {
        let right = [("X-Twilio-Signature", "RSOYDt4T1cUTdK1PDd93/VVr8B8=")]
        _ = try verdict(.twilio, secret: "12345", headers: right, body: Self.params, url: Self.url)
        _ = try verdict(
            .twilio, secret: "12345", headers: right, body: Self.params + "&Digits=1234", url: Self.url)
        let repeated = [("X-Twilio-Signature", base64Code(of: "https://h/Sid1Sid2b", key: "k", hash: .sha1))]
        let delivery = try verdict(
            .twilio, secret: "k", headers: repeated, body: "b&Sid=2&Sid=1&Sid=2", url: "https://h/")
        #expect(delivery.id == nil)
        let message = [("X-Twilio-Signature", base64Code(of: "https://h/MessageSidMM1", key: "k", hash: .sha1))]
        #expect(
            try verdict(.twilio, secret: "k", headers: message, body: "MessageSid=MM1", url: "https://h/").id == "MM1")
        #expect(throws: SignatureRefusal.self) {
            try verdict(.twilio, secret: "12345", headers: right, body: Self.params + "&Digits=12345", url: Self.url)
        }
        #expect(throws: SignatureRefusal.self) {
            try verdict(
                .twilio, secret: "12345", headers: right, body: String(repeating: "a=b&", count: 1_001), url: Self.url)
        }
        #expect(throws: SignatureRefusal.self) {
            try verdict(.twilio, secret: "12345", headers: right, body: Self.params)
        }
    }

    @Test("Twilio covers another body by its hash in the URL")
    func twilioBodyHash() throws {
        let body = "{\"property\": \"value\", \"boolean\": true}"
        let url = Self.url + "&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620"
        let right = [("X-Twilio-Signature", "a9nBmqA0ju/hNViExpshrM61xv4=")]
        _ = try verdict(.twilio, secret: "12345", headers: right, body: body, url: url)
        for wrong in ["", body + " ", "bodySHA256=1"] {
            #expect(
                refusal { () throws(SignatureRefusal) in
                    try verdict(.twilio, secret: "12345", headers: right, body: wrong, url: url)
                } == .wrong)
        }
        #expect(
            refusal { () throws(SignatureRefusal) in
                try verdict(.twilio, secret: "12345", headers: right, body: body, url: Self.url + "&bodySHA256=x")
            } == .malformed)
    }
}
