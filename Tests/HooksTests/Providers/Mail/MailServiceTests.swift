import PinpostCore
import Testing

@testable import Hooks

@Suite("A mail service's sample", .enabled(if: Samples.areThere, "the samples are not on this machine"))
struct MailServiceSampleTests {
    @Test("SendGrid's parsed mail has a picture, and its subject in its own charset")
    func sendGrid() async throws {
        let kept = try await ProviderTrial("sendgrid").kept(SampleRequest(sample: "sendgrid/parse.http"))
        #expect(kept.content.summary == ["picture a.png image/png 73"])
        #expect(kept.content.wishes.description == "café")
        #expect(kept.delivery.key != nil)
    }

    @Test(
        "a raw mail goes the mail way, byte by byte",
        arguments: [
            ("sendgrid", "sendgrid/raw.http"), ("cloudflare-email-worker", "cloudflare-email-worker/raw.http"),
        ])
    func raw(_ provider: String, _ file: String) async throws {
        let kept = try await ProviderTrial(provider).kept(SampleRequest(sample: file))
        #expect(kept.delivery.source == .mail)
        #expect(kept.mime.hasPrefix("From: Ada <ada@example.org>\r\nTo: ada@in.example\r\n"))
        #expect(kept.mime.contains("\r\nhttps://example.org/p\r\n--bb\r\n"))
        #expect(kept.mime.split(separator: "\r\n").last == "--bb--")
        #expect(kept.delivery.envelope.recipient == "ada@in.example")
        #expect(kept.delivery.envelope.sender == "ada@example.org")
    }

    @Test("Postmark's mail has a picture and asks for a board")
    func postmark() async throws {
        let kept = try await ProviderTrial("postmark").kept(SampleRequest(sample: "postmark/inbound.json"))
        #expect(kept.content.summary == ["picture a.png image/png 73"])
        #expect(kept.content.wishes.description == "Boats")
        #expect(kept.delivery.envelope.boardSlug == "trips")
    }

    @Test("CloudMailin's mail has a picture inside and one in a bucket")
    func cloudMailin() async throws {
        let sample = try SampleRequest(sample: "cloudmailin/json-normalized.json")
        let kept = try await ProviderTrial("cloudmailin").kept(sample)
        #expect(kept.content.summary == ["picture a.png image/png 73", "image https://bucket.example/att/2.jpg"])
        #expect(kept.content.links == ["https://bucket.example/att/2.jpg", "https://example.org/p"])
        #expect(kept.content.items.allSatisfy { $0.wishes.source == "https://example.org/p" })
    }
}

@Suite("SendGrid")
struct SendGridTests {
    @Test("each text is read in the charset that stands beside it, wherever that field comes")
    func charsets() async throws {
        let form = MultipartForm().text("headers", "Message-ID: <s2@x>\r\n").text("subject", [0x43, 0xA2])
            .text("text", [0x67, 0x72, 0xFC, 0xDF, 0x65] + Array(" #sea\nhttps://example.org/a".utf8)).text(
                "dkim", "{@x : pass}"
            )
            .text("charsets", "{\"subject\":\"cp850\",\"text\":\"iso-8859-1\"}")
        let kept = try await ProviderTrial("sendgrid").kept(form.request)
        #expect(kept.content.summary == ["link https://example.org/a"])
        #expect(kept.content.wishes.description == "Có")
        let words = MultipartForm().text("headers", "").text("charsets", "{\"text\":\"iso-8859-1\"}")
            .text("text", [0x67, 0x72, 0xFC, 0xDF, 0x65] + Array(" #sea https://example.org/a".utf8))
        #expect(
            try await ProviderTrial("sendgrid").kept(words.request).content.wishes.description?.hasPrefix("grüße")
                == true)
    }

    @Test("names and what is inline come from the fields beside the files")
    func attachments() async throws {
        let info = """
            {"attachment1":{"filename":"..\\\\x\\\\one.png","type":"image/png"},\
            "attachment2":{"filename":"logo.png","content-id":"abc"},"attachment3":{"filename":"two.png"}}
            """
        let form = MultipartForm().text("headers", "").text("subject", "s").file("attachment1", "")
            .file("attachment2", "logo.png").text("attachment-info", info).text(
                "content-ids", "{\"abc\":\"attachment2\"}"
            )
            .file("attachment3", "two.png")
        let kept = try await ProviderTrial("sendgrid").kept(form.request)
        #expect(kept.content.summary == ["picture one.png image/png 73", "picture two.png image/png 73"])
        #expect(kept.content.skipped.map(\.name) == ["logo.png"])
    }

    @Test("where the hook has a key, only what is signed is kept")
    func signed() async throws {
        let key = """
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAERIeaBEMKwLWfdM4XP0yFSqpssRdnUu8Loc1IAF3RMy6ARI/0rfzI1KZcjJZ/k0xvoqDwK3\
            bzrIyRnTOVpT30Pg==
            """
        let trial = try ProviderTrial("sendgrid", secret: key)
        guard case .refuse = try await trial.receive(MultipartForm().text("headers", "x: y").request) else {
            Issue.record("an unsigned mail was taken")
            return
        }
    }

    @Test("a body that is no mail is refused, events are ignored; 4xx ends SendGrid's attempts")
    func others() async throws {
        let trial = try ProviderTrial("sendgrid")
        guard case .answer(let malformed, _) = try await trial.receive(MultipartForm().text("x", "y").request) else {
            Issue.record("a form without a mail was taken")
            return
        }
        #expect(malformed.status == 400)
        guard case .answer(let events, _) = try await trial.receive(SampleRequest(json: "[{\"event\":\"open\"}]"))
        else {
            Issue.record("events were taken")
            return
        }
        #expect(events.status == 200)
    }
}

@Suite("Postmark")
struct PostmarkTests {
    private func post(_ members: String) -> SampleRequest { SampleRequest(json: "{\"MessageID\":\"m1\",\(members)}") }

    @Test("the raw mail goes the mail way where it is there, whatever stands before it")
    func raw() async throws {
        let request = post(
            """
            "Attachments":[{"Name":"a.png","Content":"\(TinyPNG.base64)"}],"RawEmail":"From: a@b\\r\\n\\r\\nhi \\u00e4",\
            "MailboxHash":"My Trips","OriginalRecipient":"x+my-trips@in"
            """)
        let kept = try await ProviderTrial("postmark").kept(request)
        #expect(kept.delivery.source == .mail)
        #expect(kept.mime == "From: a@b\r\n\r\nhi ä")
        #expect(kept.delivery.envelope.boardSlug == "my-trips")
        #expect(kept.delivery.envelope.recipient == "x+my-trips@in")
    }

    @Test("an inline logo is left out beside a photo; the test button's files count too")
    func inline() async throws {
        let request = post(
            """
            "Subject":"Fwd: ","TextBody":"Look\\n\\n> old","Attachments":[\
            {"Name":"logo.png","Content":"\(TinyPNG.base64)","ContentID":"<l>"},\
            {"Name":"p/../q.png","Data":"\(TinyPNG.base64)"},{"Name":"t.txt","Content":"aGVsbG8gd29ybGQ="}]
            """)
        let kept = try await ProviderTrial("postmark").kept(request)
        #expect(kept.content.summary == ["picture q.png image/png 73"])
        #expect(kept.content.skipped.map(\.name) == ["logo.png", "t.txt"])
        #expect(kept.content.wishes.description == "Look")
    }

    @Test("a mail in HTML alone gives its links, and its words")
    func html() async throws {
        let html =
            "<p>See <a class='x' href='https://example.org/a?b=1&amp;c'>this</a> <A HREF=https://example.org/z>z</A></p>"
        let kept = try await ProviderTrial("postmark").kept(
            post("\"Subject\":\"Two\",\"TextBody\":\"\",\"HtmlBody\":\(JSONText.quote(html))"))
        #expect(kept.content.summary == ["link https://example.org/a?b=1&c", "link https://example.org/z"])
        #expect(kept.content.wishes.description == "Two")
    }

    @Test("an automatic answer is not pinned, and says why")
    func automatic() async throws {
        let kept = try await ProviderTrial("postmark").kept(
            post(
                """
                "Subject":"Away","TextBody":"https://example.org/","Headers":[{"Name":"Auto-Submitted","Value":"auto-replied"}],\
                "Attachments":[{"Name":"a.png","Content":"\(TinyPNG.base64)"}]
                """))
        #expect(kept.content.items.isEmpty)
        #expect(kept.content.skipped.map(\.reason) == Array(repeating: "an automatic mail (auto-replied)", count: 2))
    }

    @Test("events are ignored, and 403 stops what is wrong for good")
    func codes() async throws {
        let trial = try ProviderTrial("postmark")
        guard case .answer(let bounce, _) = try await trial.receive(post("\"RecordType\":\"Bounce\"")) else {
            Issue.record("a bounce was taken")
            return
        }
        #expect(bounce.status == 200)
        for body in ["[]", "7", "null", "\"x\"", "{}", "{\"Subject\":1,\"Subject\":2}", "{\"Subject\":", ""] {
            guard case .answer(let answer, _) = try await trial.receive(SampleRequest(json: body)) else {
                Issue.record("taken: \(body)")
                continue
            }
            #expect(answer.status == 403, "\(body)")
        }
        #expect(PostmarkProvider().answer(to: .temporary).status == 503)
    }
}

@Suite("CloudMailin")
struct CloudMailinTests {
    private let trial: ProviderTrial

    init() throws { trial = try ProviderTrial("cloudmailin") }

    @Test("the normalized form in multipart is the same mail")
    func multipart() async throws {
        let form = MultipartForm().text("plain", "see https://example.org/p\n").text("reply_plain", "")
            .text("headers[subject]", "=?UTF-8?B?w6Q=?= b").text("headers[received][0]", "by a")
            .text("headers[message_id]", "<c2@x>").text("envelope[to]", "ada+trips@in.example")
            .text("envelope[recipients][0]", "x@y").text("envelope[from]", "ada@example.org")
            .file("attachments[0]", "a.png").text("attachments[1][url]", "https://bucket.example/2.jpg")
            .text("attachments[1][file_name]", "2.jpg").text("attachments[2][url]", "https://bucket.example/3.pdf")
            .text("attachments[2][content_type]", "application/pdf").text("attachments[2][file_name]", "3.pdf")
        let kept = try await trial.kept(form.request)
        #expect(kept.content.summary == ["picture a.png image/png 73", "image https://bucket.example/2.jpg"])
        #expect(kept.content.wishes.description == "ä b")
        #expect(kept.content.skipped.map(\.name) == ["3.pdf"])
        #expect(kept.delivery.envelope.boardSlug == "trips")
        #expect(kept.delivery.key != nil)
    }

    @Test("the raw form goes the mail way, of multipart and of JSON")
    func raw() async throws {
        let mime = "From: a@b\r\nMessage-ID: <r@x>\r\n\r\nhello"
        let form = MultipartForm().text("envelope[to]", "t@in").text("message", mime)
        let kept = try await trial.kept(form.request)
        #expect(kept.delivery.source == .mail && kept.mime == mime)
        let json = SampleRequest(json: "{\"envelope\":{\"to\":\"t@in\"},\"message\":\(JSONText.quote(mime))}")
        let other = try await trial.kept(json)
        #expect(other.delivery.source == .mail && other.mime == mime)
        #expect(other.delivery.key == kept.delivery.key)
    }

    @Test("the reply alone counts where CloudMailin has found it; older names of headers do as well")
    func reply() async throws {
        let json = """
            {"headers":{"Subject":"Re: x","Message-ID":"<1>"},"plain":"new https://n.example/\\n> https://o.example/",\
            "reply_plain":"new https://n.example/","attachments":[{"content":"\(TinyPNG.base64)","file_name":"l.png",\
            "disposition":"inline","content_id":"l"}]}
            """
        let kept = try await trial.kept(SampleRequest(json: json))
        #expect(kept.content.summary == ["link https://n.example/"])
        #expect(kept.content.skipped.map(\.name) == ["l.png"])
    }

    @Test("what is no mail bounces in words that say nothing private")
    func refused() async throws {
        for request in [SampleRequest(json: "{}"), SampleRequest(json: "[]"), MultipartForm().text("x", "y").request] {
            guard case .answer(let answer, _) = try await trial.receive(request) else {
                Issue.record("taken")
                continue
            }
            #expect(answer.status == 400)
            #expect(answer.contentType?.hasPrefix("text/plain") == true)
        }
    }
}

@Suite("Cloudflare's worker")
struct CloudflareTests {
    @Test("a body that is not a mail is refused")
    func refused() async throws {
        let trial = try ProviderTrial("cloudflare-email-worker")
        for body in ["", "{\"a\":1}", "<html>", "hello"] {
            guard case .answer(let answer, _) = try await trial.receive(SampleRequest(Array(body.utf8), type: nil))
            else {
                Issue.record("taken: \(body)")
                continue
            }
            #expect(answer.status == 400)
        }
    }

    @Test("the envelope may stand in the query; a repeat is known by the mail and its recipient")
    func envelope() async throws {
        let trial = try ProviderTrial("cloudflare-email-worker")
        var request = SampleRequest(Array("Received: x\r\nmessage-id:\r\n <a@b>\r\n\r\nhi".utf8), type: "text/plain")
        request.query = [("to", "ada+trips@in.example"), ("from", "x@y")]
        let kept = try await trial.kept(request)
        #expect(kept.delivery.envelope.boardSlug == "trips")
        #expect(kept.delivery.envelope.sender == "x@y")
        let again = try await trial.kept(request)
        request.query = [("to", "bob@in.example")]
        let other = try await trial.kept(request)
        #expect(kept.delivery.key == again.delivery.key && other.delivery.key != kept.delivery.key)
        let unnamed = SampleRequest(Array("From: a\n\nhi".utf8), type: "message/rfc822")
        #expect(try await trial.kept(unnamed).delivery.key == trial.kept(unnamed).delivery.key)
    }
}

@Suite("A mail service's codes")
struct MailServiceCodeTests {
    @Test(
        "what may pass is never answered with a code that ends the attempts",
        arguments: [
            "mailgun", "sendgrid", "postmark", "cloudmailin", "cloudflare-email-worker", "aws-ses-sns", "postal", "mox",
        ])
    func temporary(_ name: String) throws {
        let provider = try #require(Providers.named(name))
        #expect(provider.resends)
        for failure in [ProviderFailure.temporary, .busy] { #expect(provider.answer(to: failure).status == 503) }
        let stop = ["mailgun": 406, "postmark": 403, "mox": 200][name] ?? 400
        #expect(provider.answer(to: .malformed).status == stop)
    }
}
