import FoundationEssentials
import Testing

@testable import Hooks

@Suite("A scheme that signs the time")
struct TimedSchemeTests {
    /// A scheme, with a request that it accepts at 1614265330.
    struct Sample: Sendable, CustomTestStringConvertible {
        let scheme: SignatureScheme
        let secret: String
        let headers: [(String, String)]
        let body: String
        let id: String?
        var window: Int? = 300
        var testDescription: String { scheme.rawValue }

        func verdict(at now: Int = 1_614_265_330, body: String? = nil) throws(SignatureRefusal) -> VerifiedDelivery {
            try HooksTests.verdict(scheme, secret: secret, headers: headers, body: body ?? self.body, at: now)
        }
    }

    private static let time = "1614265330"
    private static let base64Key = "bXkgb3duIDI0IGJ5dGUgbG9uZyBrZXkh"
    private static let key = "my own 24 byte long key!"
    private static let discordKey = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"

    static let samples: [Sample] = [
        Sample(
            scheme: .standardWebhooks, secret: "whsec_" + base64Key,
            headers: standard("v1," + base64Code(of: "msg_1.\(time).{}", key: key)), body: "{}", id: "msg_1"),
        Sample(
            scheme: .svix, secret: base64Key,
            headers: standard("v1," + base64Code(of: "msg_1.\(time).{}", key: key), prefix: "Svix"), body: "{}",
            id: "msg_1"),
        Sample(
            scheme: .slack, secret: "s3cret",
            headers: [
                ("X-Slack-Request-Timestamp", time),
                ("x-slack-signature", "v0=" + hexCode(of: "v0:\(time):{\"event_id\":\"Ev1\"}", key: "s3cret")),
            ],
            body: "{\"event_id\":\"Ev1\"}", id: "Ev1"),
        Sample(
            scheme: .stripe, secret: "whsec_abc",
            headers: [
                ("Stripe-Signature", "t=\(time),v1=" + hexCode(of: "\(time).{\"id\":\"evt_1\"}", key: "whsec_abc"))
            ],
            body: "{\"id\":\"evt_1\"}", id: "evt_1"),
        Sample(
            scheme: .mailgun, secret: "key", headers: [],
            body: "timestamp=\(time)&token=abc&signature=" + hexCode(of: time + "abc", key: "key"), id: "abc",
            window: 120),
        Sample(
            scheme: .sendgrid,
            secret: """
                MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAERIeaBEMKwLWfdM4XP0yFSqpssRdnUu8Loc1IAF3RMy6ARI/0rfzI1KZcjJZ/k0xvoqDwK3\
                bzrIyRnTOVpT30Pg==
                """,
            headers: [
                ("X-Twilio-Email-Event-Webhook-Timestamp", time),
                (
                    "X-Twilio-Email-Event-Webhook-Signature",
                    """
                    MEUCIHNcjoRWZDU1vap/q9PenfYAczMdCF2/zZ3znE2EbZK9AiEA1R5qm+zpFSOjARoFwIJ/a/SL+RfHR4nZ6pqBXuzIfgg=
                    """
                ),
            ],
            body: "[{\"event\":\"x\"}]", id: nil),
        Sample(
            scheme: .discord, secret: discordKey,
            headers: [
                ("X-Signature-Timestamp", time),
                (
                    "X-Signature-Ed25519",
                    """
                    caa908d017e454ec518e2f6b78260e4077ee41a0ebe13d8560fe0c7e0e7755a695de91b957e5a2a49410cbe4a98c08c75dddc3\
                    d75602bf4f74ee0492756a3202
                    """
                ),
            ],
            body: "{\"id\":\"77\",\"type\":1}", id: "77", window: nil),
    ]

    private static func standard(_ signature: String, prefix: String = "webhook") -> [(String, String)] {
        [("\(prefix)-id", "msg_1"), ("\(prefix)-timestamp", time), ("\(prefix)-signature", signature)]
    }

    @Test("accepts at any moment of its window, and tells id and time", arguments: samples)
    func accepted(_ sample: Sample) throws {
        for distance in [-(sample.window ?? 90_000), 0, sample.window ?? 90_000] {
            let delivery = try sample.verdict(at: 1_614_265_330 + distance)
            #expect(delivery.id == sample.id)
            #expect(delivery.signedAt?.timeIntervalSince1970 == 1_614_265_330)
        }
    }

    @Test("refuses what is too old or from the future", arguments: samples.filter { $0.window != nil })
    func window(_ sample: Sample) throws {
        let window = try #require(sample.window)
        #expect(refusal { () throws(SignatureRefusal) in try sample.verdict(at: 1_614_265_331 + window) } == .tooOld)
        #expect(refusal { () throws(SignatureRefusal) in try sample.verdict(at: 1_614_265_329 - window) } == .tooNew)
    }

    @Test("refuses a time that was changed, and one that is no whole number", arguments: samples)
    func times(_ sample: Sample) throws {
        for time in ["1614265331", "+1614265330", "1614265330.0", "0x6037", "-1", "99999999999999999999", "١٦١٤"] {
            let headers = sample.headers.map { ($0.0, $0.1 == Self.time ? time : replacingTime(in: $0.1, by: time)) }
            let body = sample.scheme == .mailgun ? replacingTime(in: sample.body, by: time) : sample.body
            let code = refusal { () throws(SignatureRefusal) in
                try verdict(sample.scheme, secret: sample.secret, headers: headers, body: body)
            }
            #expect(code == (time == "1614265331" ? .wrong : .malformed), "\(time)")
        }
    }

    private func replacingTime(in text: String, by time: String) -> String {
        text.split(separator: Self.time, omittingEmptySubsequences: false).joined(separator: time)
    }

    @Test("refuses without each header, and with an empty or a second one", arguments: samples)
    func headers(_ sample: Sample) throws {
        for index in sample.headers.indices {
            let name = sample.headers[index].0
            var missing = sample.headers
            missing.remove(at: index)
            for headers in [missing, missing + [(name, "")], sample.headers + [(name, "x")]] {
                let code = refusal { () throws(SignatureRefusal) in
                    try verdict(sample.scheme, secret: sample.secret, headers: headers, body: sample.body)
                }
                #expect(code == .incomplete, "\(name)")
            }
        }
    }

    @Test(
        "takes one right signature among several",
        arguments: [
            "v1,AAAA %@", "%@ v1,AAAA", "v2,x v1a,AAAA  %@", "v1 , %@ ,",
        ])
    func several(_ pattern: String) throws {
        let right = "v1," + base64Code(of: "msg_1.\(Self.time).{}", key: Self.key)
        let parts = pattern.split(separator: "%@", omittingEmptySubsequences: false)
        let headers = Self.standard(parts.joined(separator: right))
        let delivery = try verdict(.standardWebhooks, secret: Self.base64Key, headers: headers, body: "{}")
        #expect(delivery.id == "msg_1")
    }

    @Test("does not look at more signatures than it may")
    func tooMany() {
        let right = "v1," + base64Code(of: "msg_1.\(Self.time).{}", key: Self.key)
        let headers = Self.standard(String(repeating: "v1,AAAA ", count: 32) + right)
        let code = refusal { () throws(SignatureRefusal) in
            try verdict(.standardWebhooks, secret: Self.base64Key, headers: headers, body: "{}")
        }
        #expect(code == .wrong)
    }

    @Test("Standard Webhooks takes old and new keys beside each other, shared and public ones")
    func rotation() throws {
        let keys = "whsec_b2xk\nwhpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo\nwhsec_" + Self.base64Key
        let shared = Self.standard("v1," + base64Code(of: "msg_1.\(Self.time).{\"a\":1}", key: Self.key))
        let signed = Self.standard(
            "v1a,ye5GQkdPF9K89lM4xWHk0Kz1xuXwfd1th/iEmlAsK9RvqPjiy5SfDvrGWA4V85IAWCwJbNv2DW7IDo2/PScXCQ==")
        for headers in [shared, signed] {
            #expect(try verdict(.standardWebhooks, secret: keys, headers: headers, body: "{\"a\":1}").id == "msg_1")
        }
        // The private key of RFC 8032, with the public one behind it.
        let whole = "whsk_nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2DX" + "WpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGg=="
        #expect(try verdict(.standardWebhooks, secret: whole, headers: signed, body: "{\"a\":1}").id == "msg_1")
        // A shared key makes no v1a, a public one no v1.
        let crossed = Self.standard("v1a," + base64Code(of: "msg_1.\(Self.time).{\"a\":1}", key: Self.key))
        let code = refusal { () throws(SignatureRefusal) in
            try verdict(.standardWebhooks, secret: keys, headers: crossed, body: "{\"a\":1}")
        }
        #expect(code == .wrong)
    }

    @Test("Svix takes either prefix, but not one header of each")
    func prefixes() throws {
        let right = "v1," + base64Code(of: "msg_1.\(Self.time).{}", key: Self.key)
        #expect(try verdict(.svix, secret: Self.base64Key, headers: Self.standard(right), body: "{}").id == "msg_1")
        var mixed = Self.standard(right)
        mixed[0].0 = "svix-id"
        let code = refusal { () throws(SignatureRefusal) in
            try verdict(.svix, secret: Self.base64Key, headers: mixed, body: "{}")
        }
        #expect(code == .incomplete)
    }

    @Test("Mailgun's fields may come in a multipart form, each once")
    func multipart() throws {
        let fields = [
            ("timestamp", Self.time), ("token", "abc"), ("signature", hexCode(of: Self.time + "abc", key: "k")),
        ]
        func body(_ fields: [(String, String)]) -> String {
            fields.map { "--b\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }.joined()
                + "--b--\r\n"
        }
        let headers = [("Content-Type", "multipart/form-data; boundary=b")]
        #expect(try verdict(.mailgun, secret: "k", headers: headers, body: body(fields)).id == "abc")
        for wrong in [body(fields + [fields[1]]), body(Array(fields.dropLast())), "--b\r\n", ""] {
            #expect(throws: SignatureRefusal.self) { try verdict(.mailgun, secret: "k", headers: headers, body: wrong) }
        }
        let inner = fields.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",")
        let events = "{\"signature\":{\(inner)},\"event-data\":{\"timestamp\":1}}"
        let json = [("Content-Type", "application/json")]
        #expect(try verdict(.mailgun, secret: "k", headers: json, body: events).id == "abc")
        for body in ["[]", "null", "{\"timestamp\":[1],\"token\":{},\"signature\":null}", "{\"token\":", "\u{0}"] {
            let headers = [("Content-Type", "application/json")]
            #expect(throws: SignatureRefusal.self) { try verdict(.mailgun, secret: "k", headers: headers, body: body) }
        }
    }
}
