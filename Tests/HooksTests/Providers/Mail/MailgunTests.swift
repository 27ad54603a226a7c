import PinpostCore
import Testing

@testable import Hooks

@Suite("Mailgun")
struct MailgunTests {
    private static let key = "tbsy84uSV1Kt3ZJZELY2TmShPRs91E3yL4tzf96297vBCkDWgL"
    private static let time = "1539112500"

    private func trial(
        token: String? = nil, apiBase: String? = nil, answers: [String: HTTPResponse] = [:]
    ) throws -> ProviderTrial {
        try ProviderTrial(
            "mailgun", secret: Self.key, token: token, apiBase: apiBase, answers: answers, now: 1_539_112_500)
    }

    private func signed(_ form: MultipartForm = MultipartForm(), token: String = "t1") -> MultipartForm {
        form.text("timestamp", Self.time).text("token", token)
            .text("signature", hexCode(of: Self.time + token, key: Self.key))
    }

    @Test(
        "the samples become what their index says",
        .enabled(if: Samples.areThere, "the samples are not on this machine"))
    func samples() async throws {
        let parsed = try await trial().kept(SampleRequest(sample: "mailgun/route-parsed.http"))
        #expect(parsed.content.summary == ["picture IMG_1.png image/png 73"])
        #expect(parsed.content.wishes.description == "Holiday")
        #expect(parsed.content.wishes.tags == ["beach"])
        #expect(parsed.content.skipped.map(\.name) == ["logo.png"])
        #expect(parsed.delivery.envelope.boardSlug == "trips")
        #expect(parsed.delivery.answer.status == 200)
        let raw = try await trial().kept(SampleRequest(sample: "mailgun/route-mime.http"))
        #expect(raw.delivery.source == .mail)
        #expect(raw.mime.hasPrefix("From: Ada <ada@example.org>\r\n"))
        #expect(raw.mime.hasSuffix("--bb--\r\n"))
    }

    @Test(
        "a stored attachment is fetched with the key",
        .enabled(if: Samples.areThere, "the samples are not on this machine"))
    func stored() async throws {
        let url = "http://127.0.0.1:9/v3/domains/in.example/messages/KEY/attachments/0"
        let trial = try trial(token: "key-1", apiBase: "http://127.0.0.1:9", answers: [url: .png])
        var sample = try SampleRequest(sample: "mailgun/store-notify.http")
        let signature = hexCode(of: Self.time + "t2", key: Self.key)
        let proof = "&timestamp=\(Self.time)&token=t2&signature=\(signature)"
        let start = String(decoding: sample.body, as: UTF8.self).split(separator: "&").filter {
            !$0.hasPrefix("timestamp=") && !$0.hasPrefix("token=") && !$0.hasPrefix("signature=")
        }
        sample.body = Array((start.joined(separator: "&") + proof).utf8)
        let kept = try await trial.kept(sample)
        #expect(kept.content.wishes.description == "Hi")
        let media = try #require(kept.media.first)
        #expect(kept.media.count == 1)
        #expect(try await trial.file(media) == TinyPNG.bytes)
        #expect(trial.http.sent.map(\.authorization) == ["Basic YXBpOmtleS0x"])
        #expect(trial.http.sent.map(\.isProvider) == [true])
    }

    @Test("without a key the link beside stored attachments is pinned; a list of them that is none counts for nothing")
    func unfetchable() async throws {
        for (list, count) in [(#"[{"url":"https://sw.api.mailgun.net/v3/x","name":"a.png"}]"#, 1), ("[{", 0), ("7", 0)]
        {
            let form = signed(
                MultipartForm().text("subject", "Sea").text("body-plain", "https://e.example/a")
                    .text("attachments", list))
            let kept = try await trial().kept(form.request)
            #expect(kept.content.summary == ["link https://e.example/a"])
            #expect(kept.content.skipped.count { $0.reason.contains("API key") } == count)
        }
    }

    @Test("a stored attachment that does not lie with Mailgun is not fetched")
    func foreignFiles() async throws {
        let trial = try trial(token: "key-1")
        for url in [
            "https://evil.example/v3/x", "http://sw.api.mailgun.net/v3/x", "https://sw.api.mailgun.net@evil.example/x",
            "https://evilmailgun.net/x", "https://mailgun.net.evil.example/x", "file:///etc/passwd", "x",
        ] {
            await #expect(throws: LinkError.self, "\(url)") {
                try await trial.file(MediaReference(hook: trial.hook.id, file: url))
            }
        }
        #expect(trial.http.sent.isEmpty)
        _ = try? await trial.file(MediaReference(hook: trial.hook.id, file: "https://sw.api.mailgun.net/v3/x?y=1#z"))
        #expect(trial.http.sent.map(\.request.url) == ["https://sw.api.mailgun.net/v3/x?y=1"])
    }

    @Test("a mail that comes again with another token is known by its own id, however it is sent")
    func repeats() async throws {
        let headers = "[[\"Received\",\"x\"],[\"Message-Id\",\"<m@x>\"]]"
        let forms = [
            MultipartForm().text("subject", "x").text("body-plain", "https://a.example/").text(
                "message-headers", headers),
            MultipartForm().text("recipient", "a@b.c").text(
                "body-mime", "Message-ID: <m@x>\r\nSubject: x\r\n\r\nhttps://a.example/"),
            MultipartForm().text("subject", "x").text("body-plain", "https://a.example/").text(
                "message-url", "https://s.example/1"),
        ]
        for form in forms {
            let (first, second) = (signed(form), signed(form, token: "t2"))
            let kept = try await [trial().kept(first.request), trial().kept(second.request)]
            #expect(kept[0].delivery.key != kept[1].delivery.key)
            #expect(kept[0].delivery.otherKeys == kept[1].delivery.otherKeys && !kept[0].delivery.otherKeys.isEmpty)
        }
        func otherKeys(_ subject: String, isRaw: Bool) async throws -> [[UInt8]] {
            let raw = MultipartForm().text("body-mime", "Message-ID: <m@x>\r\nSubject: \(subject)\r\n\r\n")
            let parsed = MultipartForm().text("message-headers", headers).text("subject", subject)
            return try await trial().kept(signed(isRaw ? raw : parsed).request).delivery.otherKeys
        }
        for isRaw in [true, false] {
            #expect(try await otherKeys("x", isRaw: isRaw) != otherKeys("y", isRaw: isRaw))
        }
    }

    @Test("a stored mail is another one for each of its recipients, and for none of them twice")
    func storedForSeveral() async throws {
        func keys(_ recipient: String, _ token: String) async throws -> [[UInt8]] {
            let form = MultipartForm().text("recipient", recipient).text("subject", "x").text(
                "message-url", "https://s.example/1")
            return try await trial().kept(signed(form, token: token).request).delivery.otherKeys
        }
        let first = try await keys("a@in.example", "t1")
        #expect(first.count == 1)
        #expect(try await keys("a@in.example", "t2") == first)
        #expect(try await keys("b@in.example", "t3") != first)
    }

    @Test("pictures keep their order; a map with equal and empty keys still tells what is inline")
    func inline() async throws {
        let form = signed().file("attachment-1", "b.png").file("attachment-2", "a.png")
            .file("attachment-3", "\\share\\x\\logo.png").file(
                "attachment-4", "notes.txt", Array("hello".utf8), type: "text/plain"
            )
            .file("attachment-5", "icon.png").text("stripped-text", "Hello #sea\n\nmore").text("subject", "Re: ")
            .text("body-plain", "Hello #sea\n\nmore\n> old https://old.example/").text(
                "content-id-map", "{\"\": \"attachment-3\", \"\": \"attachment-5\"}")
        let kept = try await trial().kept(form.request)
        #expect(kept.content.summary == ["picture b.png image/png 73", "picture a.png image/png 73"])
        #expect(kept.content.skipped.map(\.name) == ["logo.png", "notes.txt", "icon.png"])
        #expect(kept.content.wishes.description == "Hello")
        #expect(kept.content.wishes.tags == ["sea"])
        #expect(kept.content.links.isEmpty)
    }

    @Test("a photo that the text shows is no logo when it is alone")
    func inlineAlone() async throws {
        let form = signed().text("subject", "x").file("attachment-1", "a.png").text(
            "content-id-map", "{\"<a>\":\"attachment-1\"}")
        let alone = try await trial().kept(form.request)
        #expect(alone.content.summary == ["picture a.png image/png 73"])
        let about = try await trial().kept(form.text("body-plain", "see https://example.org/p").request)
        #expect(about.content.summary == ["link https://example.org/p"])
    }

    @Test("a mail without attachments comes as a form; its links are pinned")
    func form() async throws {
        let request = SampleRequest(form: [
            ("recipient", "ada@in.example"), ("subject", "[Trips] Look"), ("timestamp", Self.time), ("token", "t3"),
            ("signature", hexCode(of: Self.time + "t3", key: Self.key)), ("Message-Id", "<m@x>"),
            ("body-plain", "https://example.org/a and https://example.org/b\n-- \nhttps://firm.example/"),
        ])
        let kept = try await trial().kept(request)
        #expect(kept.content.summary == ["link https://example.org/a", "link https://example.org/b"])
        #expect(kept.content.wishes.description == "Look")
        #expect(kept.content.wishes.board == "Trips")
        #expect(kept.delivery.otherKeys.count == 1)
    }

    @Test("the token in the signature is the delivery's id")
    func identity() async throws {
        let first = try await trial().kept(signed().text("subject", "a").request)
        let again = try await trial().kept(signed().text("subject", "b").request)
        let other = try await trial().kept(signed(token: "t9").text("subject", "a").request)
        #expect(first.delivery.key == again.delivery.key && first.delivery.key != other.delivery.key)
    }

    @Test("what is not a mail, or not signed now, is not kept")
    func refused() async throws {
        let trial = try trial()
        guard case .refuse = try await trial.receive(MultipartForm().text("subject", "x").request) else {
            Issue.record("an unsigned mail was taken")
            return
        }
        guard case .answer(let empty, _) = try await trial.receive(signed().request) else {
            Issue.record("an empty form was taken")
            return
        }
        #expect(empty.status == 406)
        guard case .answer(let event, _) = try await trial.receive(signed().text("event", "opened").request) else {
            Issue.record("an event was taken")
            return
        }
        #expect(event.status == 200)
        #expect(
            ProviderFailure.allCases.map { MailgunProvider().answer(to: $0).status } == [406, 406, 406, 406, 503, 503])
    }
}
