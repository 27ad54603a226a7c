import Testing

@testable import PinpostApp

@Suite("hook verify", .timeLimit(.minutes(10)))
struct HookVerifyTests {
    private static let signed = """
        X-Hub-Signature-256: sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17\r
        x-github-delivery:  d-1 \r
        \r

        """
    private static let stripe =
        "Stripe-Signature: t=1614265330,v1=3c5817089d739023dd6190f70a3757e04f7a2fd8b5dab12c2e000f51970dccff"
    private static let stripeBody = "{\"id\":\"evt_test_webhook\",\"object\":\"event\"}"

    private func words(
        _ provider: String, secret: String, headers: String, body: String, on stage: Stage
    ) throws -> [String] {
        [
            "hook", "verify", "--provider", provider, "--secret-file", try stage.file("secret", Array(secret.utf8)),
            "--headers", try stage.file("headers", Array(headers.utf8)), "--body",
            try stage.file("body", Array(body.utf8)),
        ]
    }

    @Test("a right signature ends with 0 and tells the delivery")
    func accepted() async throws {
        try await Stage.open { stage in
            let words = try words(
                "github", secret: "It's a Secret to Everybody\r\n", headers: Self.signed, body: "Hello, World!",
                on: stage)
            let outcome = try await stage.run(words)
            #expect(outcome.exit == .done && outcome.output == "accepted, delivery d-1\n", "\(outcome.errors)")
            let fields = try await stage.run(words + ["--json"]).object()
            #expect(fields == ["accepted": .flag(true), "provider": .text("github"), "id": .text("d-1")])
        }
    }

    @Test("a wrong one ends with 77, a reason, and nothing that could be used")
    func refused() async throws {
        try await Stage.open { stage in
            for (secret, body, reason) in [
                ("It's a Secret to Everybody", "Hello, World", "wrong"), ("another", "Hello, World!", "wrong"),
                ("", "Hello, World!", "secret_unusable"), ("\n", "Hello, World!", "secret_unusable"),
            ] {
                let words = try words("github", secret: secret, headers: Self.signed, body: body, on: stage)
                let outcome = try await stage.run(words + ["--json"])
                #expect(outcome.exit == .notAllowed && outcome.errors.isEmpty)
                let fields = try outcome.object()
                #expect(fields["accepted"] == .flag(false) && fields["reason"] == .text(reason))
                #expect(!outcome.output.contains("757107ea") && (secret.count < 2 || !outcome.output.contains(secret)))
                #expect(try await stage.run(words).output.hasPrefix("refused: "))
            }
        }
    }

    @Test("judges as of a given time, and as of now without one")
    func time() async throws {
        try await Stage.open { stage in
            let words = try words(
                "stripe", secret: "whsec_test_secret", headers: Self.stripe, body: Self.stripeBody, on: stage)
            let outcome = try await stage.run(words + ["--now", "1614265630", "--json"])
            #expect(outcome.exit == .done)
            #expect(try outcome.object()["timestamp"] == .number(1_614_265_330))
            for (time, reason) in [
                (["--now", "1614265631"], "too_old"), ([], "too_old"), (["--now", "0"], "too_new"),
            ] {
                let outcome = try await stage.run(words + time + ["--json"])
                #expect(outcome.exit == .notAllowed)
                #expect(try outcome.object()["reason"] == .text(reason))
            }
        }
    }

    @Test("takes the URL for Twilio, and the form of a generic HMAC")
    func options() async throws {
        try await Stage.open { stage in
            let twilio = try words(
                "twilio", secret: "12345", headers: "X-Twilio-Signature: RSOYDt4T1cUTdK1PDd93/VVr8B8=",
                body:
                    "CallSid=CA1234567890ABCDE&Digits=1234&From=%2B14158675309&To=%2B18005551212&Caller=%2B14158675309",
                on: stage)
            let url = ["--url", "https://mycompany.com/myapp.php?foo=1&bar=2"]
            #expect(try await stage.run(twilio + url).exit == .done)
            #expect(try await stage.run(twilio).exit == .notAllowed)
            let generic = try words(
                "generic-hmac", secret: "secret", headers: "Sig: b17e04cbb22afa8ffbff8796fc1894ed27badd9e",
                body: "{\"a\": \"z\"}", on: stage)
            let format = ["--header", "sig", "--algorithm", "sha1", "--encoding", "hex"]
            #expect(try await stage.run(generic + format).exit == .done)
            #expect(try await stage.run(generic).exit == .notAllowed)
            #expect(try await stage.run(twilio + url + format).exit == .usage)
        }
    }

    @Test("an unknown sender, a missing flag and headers without a name are told apart from a refusal")
    func usage() async throws {
        try await Stage.open { stage in
            let words = try words("github", secret: "x", headers: "no header", body: "", on: stage)
            #expect(try await stage.run(words).exit == .wrongData)
            #expect(try await stage.run(["hook", "verify", "--provider", "nobody"]).exit == .usage)
            #expect(try await stage.run(Array(words.prefix(4))).exit == .usage)
        }
    }
}
