import Cryptography
import PinpostCore
import Testing

@testable import Hooks

@Suite("WhatsApp")
struct WhatsAppTests {
    private func trial(_ options: [String: String] = [:], allowed: [String] = [], apiBase: String? = nil) throws
        -> ProviderTrial
    {
        try ProviderTrial("whatsapp", secret: "app", token: "t", apiBase: apiBase, allowed: allowed, options: options)
    }

    private func signed(_ messages: String, field: String = "messages", key: String = "messages") -> SampleRequest {
        let body = """
            {"object":"whatsapp_business_account","entry":[{"id":"W","changes":[{"field":"\(field)","value":\
            {"metadata":{"phone_number_id":"PN"},"\(key)":[\(messages)]}}]}]}
            """
        return SampleRequest(json: body).with("x-hub-signature-256", "sha256=" + hexCode(of: body, key: "app"))
    }

    @Test("documents count where they are pictures; films, stickers and contacts say why they do not")
    func kinds() async throws {
        let kept = try await trial().keptEach(
            signed(
                """
                {"from":"1","id":"a","type":"document","document":{"id":"D1","filename":"x.PDF","mime_type":"application/pdf","caption":"c"}},\
                {"from":"1","id":"b","type":"document","document":{"id":"D2","filename":"y.heic","mime_type":"application/octet-stream"}},\
                {"from":"1","id":"c","type":"video","video":{"id":"V","mime_type":"video/mp4"}},\
                {"from":"1","id":"d","type":"reaction","reaction":{"emoji":"x"}},{"from":"1","id":"e","type":"unsupported"},\
                {"from":"1","id":"f","type":"image","image":{"id":"I","mime_type":"image/jpeg","caption":"#a board: Trips","url":"https://x"}}
                """))
        #expect(kept.map(\.content.summary) == [[], ["media D2 y.heic"], [], ["media I -"]])
        #expect(kept[2].content.skipped.map(\.reason) == ["films are not pinned"])
        #expect(kept[3].delivery.envelope.reply?.fields == ["number": "PN", "to": "1", "message": "f"])
    }

    @Test("echoes of our own, statuses, other fields and strangers are nothing")
    func ignored() async throws {
        let text = "{\"from\":\"1\",\"id\":\"a\",\"type\":\"text\",\"text\":{\"body\":\"https://e.example/\"}}"
        let cases = [
            (signed(text, field: "smb_message_echoes", key: "message_echoes"), []), (signed(text, key: "statuses"), []),
            (signed(text), ["2"]), (signed(""), []), (signed(text, field: "account_update"), []),
        ]
        for (request, allowed) in cases {
            guard case .answer(let answer, _) = try await trial(allowed: allowed).receive(request) else {
                Issue.record("taken")
                continue
            }
            #expect(answer.status == 200)
        }
        #expect(try await trial(allowed: ["1"]).keptEach(signed(text)).count == 1)
    }

    @Test("a press on Undo names the message")
    func undo() async throws {
        let press = """
            {"from":"1","id":"p","type":"interactive","interactive":{"type":"button_reply","button_reply":{"id":"undo:abc","title":"Undo"}}}
            """
        let kept = try await trial().keptEach(signed(press))
        #expect(kept.map(\.delivery.undo) == [.message(Message.ID("abc"))] && kept[0].content.isOrder)
        let report = ProviderReport(
            message: Message.ID("abc"), lines: [ProviderReport.Line(text: "Pinned:", url: "https://p/1")], canUndo: true
        )
        let access = ProviderAccess(
            hook: Hook.ID("h"), settings: HookSettings(), token: Secret(copying: Array("t".utf8)))
        let calls = WhatsAppProvider().reply(
            report, to: ReplyTarget(["number": "PN", "to": "1", "message": "m"]), with: access)
        #expect(calls.map(\.request.url) == ["https://graph.facebook.com/v21.0/PN/messages"])
        guard case .bytes(let body, _)? = calls.first?.request.body else {
            Issue.record("no body")
            return
        }
        let text = String(decoding: body, as: UTF8.self)
        #expect(
            text.contains("\"id\":\"undo:abc\"") && text.contains("\"message_id\":\"m\"")
                && text.contains("Pinned: https://p/1"))
    }

    @Test("the file's address has to be Meta's: a token goes nowhere else")
    func files() async throws {
        let ask = "https://graph.facebook.com/v21.0/M"
        for url in [
            "https://evil.example/x", "http://lookaside.fbsbx.com/x", "https://fbsbx.com.evil.example/x",
            "https://a@lookaside.fbsbx.com/",
        ] {
            let trial = try ProviderTrial(
                "whatsapp", secret: "app", token: "t", answers: [ask: .answer(200, "{\"url\":\"\(url)\"}")])
            await #expect(throws: LinkError.self) {
                try await trial.file(MediaReference(hook: trial.hook.id, file: "M"))
            }
            #expect(trial.http.sent.map(\.request.url) == [ask])
        }
        let file = "https://lookaside.fbsbx.com/whatsapp?mid=1"
        for base in [nil, "https://graph.facebook.com/v22.0"] {
            let ask = (base ?? "https://graph.facebook.com/v21.0") + "/M"
            let trial = try ProviderTrial(
                "whatsapp", secret: "app", token: "t", apiBase: base,
                answers: [ask: .answer(200, "{\"url\":\"\(file)\"}"), file: .png])
            #expect(try await trial.file(MediaReference(hook: trial.hook.id, file: "M")) == TinyPNG.bytes)
        }
        let trial = try trial()
        await #expect(throws: LinkError.self) {
            try await trial.file(MediaReference(hook: trial.hook.id, file: "../x"))
        }
        #expect(trial.http.sent.isEmpty)
    }

    @Test("a question with a wrong or no token, or a challenge that is none, gets 403")
    func questions() async throws {
        let right = [("hub.mode", "subscribe"), ("hub.verify_token", "v"), ("hub.challenge", "77")]
        for (options, query) in [
            ([:], right), (["verify-token": "w"], right), (["verify-token": "v"], Array(right.dropFirst())),
            (["verify-token": "v"], [right[0], right[1], ("hub.challenge", "<script>")]),
            (["verify-token": " "], right),
        ] {
            var request = SampleRequest([], type: nil)
            request.method = "GET"
            request.query = query
            guard case .answer(let answer, _) = try await trial(options).receive(request) else {
                Issue.record("not answered")
                continue
            }
            #expect(answer.status == 403)
        }
    }
}

@Suite("Twilio")
struct TwilioTests {
    private func request(_ fields: [(name: String, value: String)]) -> SampleRequest {
        var request = SampleRequest(form: fields)
        request.url = "https://in.example/h"
        let signed = "https://in.example/h" + fields.sorted { $0.name < $1.name }.map { $0.name + $0.value }.joined()
        return request.with("x-twilio-signature", base64Code(of: signed, key: "auth", hash: .sha1))
    }

    private let trial: ProviderTrial

    init() throws { trial = try ProviderTrial("twilio", secret: "auth", allowed: ["+1", "whatsapp:+1"]) }

    @Test("at most ten files in their order, pictures alone; numbers that lie are no files")
    func files() async throws {
        var fields: [(name: String, value: String)] = [
            ("From", "+1"), ("To", "+2"), ("MessageSid", "MM1"), ("AccountSid", "AC1"), ("Body", "hi"),
            ("NumMedia", "12"),
        ]
        for index in 0..<12 {
            fields.append(
                ("MediaUrl\(index)", "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME\(index)"))
            fields.append(("MediaContentType\(index)", index == 3 ? "video/mp4" : "image/png"))
        }
        let kept = try await trial.kept(request(fields))
        #expect(kept.media.count == 9 && kept.content.skipped.count == 1)
        #expect(kept.media.first?.file.hasSuffix("ME0") == true && kept.media.last?.file.hasSuffix("ME9") == true)
        #expect(kept.delivery.envelope.reply?.fields == ["account": "AC1", "from": "+2", "to": "+1"])
        let lying = try await trial.kept(
            request([
                ("From", "whatsapp:+1"), ("MessageSid", "MM2"), ("NumMedia", "-5"), ("Body", "https://e.example/"),
            ]))
        #expect(lying.content.summary == ["link https://e.example/"])
    }

    @Test("strangers and the status of messages get empty TwiML, other forms 400")
    func others() async throws {
        let cases = [
            ([("From", "+9"), ("MessageSid", "M"), ("Body", "https://e.example/")], 200),
            ([("From", "+1"), ("MessageSid", "M"), ("MessageStatus", "delivered")], 200), ([("Body", "x")], 400),
        ]
        for (fields, status) in cases {
            guard
                case .answer(let answer, _) = try await trial.receive(request(fields.map { (name: $0.0, value: $0.1) }))
            else {
                Issue.record("taken")
                continue
            }
            #expect(answer.status == status)
            if status == 200 { #expect(answer.contentType == "text/xml") }
        }
    }

    @Test("credentials go to Twilio's host alone; an API key goes before the auth token")
    func fetching() async throws {
        let path = "/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME1"
        for file in [
            "https://evil.example\(path)", "http://api.twilio.com\(path)", "https://api.twilio.com/x",
            "https://api.twilio.com@evil.example\(path)",
        ] {
            await #expect(throws: LinkError.self, "\(file)") {
                try await trial.file(MediaReference(hook: trial.hook.id, file: file))
            }
        }
        #expect(trial.http.sent.isEmpty)
        let url = "https://api.twilio.com\(path)"
        let keyed = try ProviderTrial("twilio", secret: "auth", token: "SK1:sec", answers: [url: .png])
        #expect(try await keyed.file(MediaReference(hook: keyed.hook.id, file: url)) == TinyPNG.bytes)
        #expect(keyed.http.sent.map(\.authorization) == ["Basic U0sxOnNlYw=="])
        let circle = try ProviderTrial(
            "twilio", secret: "auth", answers: [url: .answer(302, headers: [("location", "ftp://x/")])])
        await #expect(throws: LinkError.self) { try await circle.file(MediaReference(hook: circle.hook.id, file: url)) }
        #expect(circle.http.sent.count == 1)
    }
}

@Suite("LINE")
struct LINETests {
    private func signed(_ events: String) -> SampleRequest {
        let body = "{\"destination\":\"U\",\"events\":[\(events)]}"
        return SampleRequest(json: body).with("x-line-signature", base64Code(of: body, key: "chan"))
    }

    private func event(_ id: String, _ message: String, more: String = "") -> String {
        """
        {"type":"message","mode":"active","webhookEventId":"\(id)","replyToken":"r\(id)","source":{"type":"group",\
        "groupId":"G","userId":"U1"},"message":\(message)\(more)}
        """
    }

    private func trial(allowed: [String] = []) throws -> ProviderTrial {
        try ProviderTrial("line", secret: "chan", token: "t", allowed: allowed)
    }

    @Test("each event is a message of its own, with its own way back")
    func events() async throws {
        let kept = try await trial(allowed: ["G"]).keptEach(
            signed(
                [
                    event("1", "{\"type\":\"text\",\"id\":\"10\",\"text\":\"https://e.example/a #x\"}"),
                    event(
                        "2",
                        "{\"type\":\"image\",\"id\":\"11\",\"contentProvider\":{\"type\":\"external\",\"originalContentUrl\":\"https://cdn.example/y.jpg\"}}"
                    ),
                    event("3", "{\"type\":\"file\",\"id\":\"12\",\"fileName\":\"IMG.HEIC\",\"fileSize\":9}"),
                    event("4", "{\"type\":\"video\",\"id\":\"13\"}"),
                    event("5", "{\"type\":\"location\",\"id\":\"14\"}"),
                    event("6", "{\"type\":\"text\",\"id\":\"15\",\"text\":\"x\"}", more: ",\"mode2\":1").replacing(
                        "active", by: "standby"),
                ].joined(separator: ",")))
        #expect(
            kept.map(\.content.summary) == [
                ["link https://e.example/a"], ["image https://cdn.example/y.jpg"], ["media 12 IMG.HEIC"], [],
            ])
        #expect(kept.compactMap { $0.delivery.envelope.reply?.key }.count == 4)
        #expect(Set(kept.map { $0.delivery.key }).count == 4)
        #expect(kept.allSatisfy { $0.delivery.album == nil })
    }

    @Test("follows, unsent messages and strangers are nothing; a press on Undo names the message")
    func others() async throws {
        let text = event("1", "{\"type\":\"text\",\"id\":\"1\",\"text\":\"https://e.example/\"}")
        for (request, allowed) in [
            (signed("{\"type\":\"follow\"},{\"type\":\"unsend\"}"), []), (signed(text), ["Z"]),
            (signed("7,null,[]"), []),
        ] {
            guard case .answer(let answer, _) = try await trial(allowed: allowed).receive(request) else {
                Issue.record("taken")
                continue
            }
            #expect(answer.status == 200)
        }
        let press = "{\"type\":\"postback\",\"replyToken\":\"r\",\"postback\":{\"data\":\"undo:abc\"}}"
        #expect(try await trial().keptEach(signed(press)).map(\.delivery.undo) == [.message(Message.ID("abc"))])
    }

    @Test("a body without events gets 400")
    func malformed() async throws {
        for body in ["{}", "{\"events\":{}}", "[]", "null"] {
            let request = SampleRequest(json: body).with("x-line-signature", base64Code(of: body, key: "chan"))
            guard case .answer(let answer, _) = try await trial().receive(request) else {
                Issue.record("taken")
                continue
            }
            #expect(answer.status == 400)
        }
    }
}

extension String {
    fileprivate func replacing(_ old: String, by new: String) -> String {
        split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}

@Suite("Signal")
struct SignalTests {
    private func trial(allowed: [String] = []) throws -> ProviderTrial {
        try ProviderTrial("signal", apiBase: "http://signal.example:8080", allowed: allowed)
    }

    private func envelope(_ members: String) -> SampleRequest {
        SampleRequest(
            json:
                "{\"account\":\"+2\",\"envelope\":{\"sourceNumber\":\"+1\",\"sourceUuid\":\"u-1\",\"timestamp\":5,\(members)}}"
        )
    }

    @Test("a message counts without the frame of JSON-RPC, in a group, with captions, and when noted to oneself")
    func messages() async throws {
        let group = try await trial(allowed: ["R3JvdXA="]).kept(
            envelope(
                """
                "dataMessage":{"timestamp":7,"message":null,"groupInfo":{"groupId":"R3JvdXA="},"attachments":[\
                {"contentType":"image/heic","id":"a.heic","filename":"x/IMG.HEIC","caption":"the bay"},\
                {"contentType":"audio/aac","id":"b"},{"contentType":"image/png","id":"c.png"}]}
                """))
        #expect(group.content.summary == ["media a.heic IMG.HEIC", "media c.png -"])
        #expect(group.content.wishes.description == "the bay")
        #expect(group.delivery.envelope.reply?.fields["to"] == "group.UjNKdmRYQT0=")
        let note = try await trial().kept(
            envelope(
                "\"syncMessage\":{\"sentMessage\":{\"destinationNumber\":\"+2\",\"timestamp\":8,\"message\":\"https://e.example/\"}}"
            ))
        #expect(note.content.summary == ["link https://e.example/"])
        let nested = SampleRequest(
            json:
                "{\"method\":\"receive\",\"params\":{\"subscription\":0,\"result\":{\"account\":\"+2\",\"envelope\":{\"source\":\"+1\",\"dataMessage\":{\"timestamp\":9,\"message\":\"https://e.example/n\"}}}}}"
        )
        #expect(try await trial().kept(nested).content.summary == ["link https://e.example/n"])
    }

    @Test("who is mentioned leaves no mark in the words")
    func mentioned() async throws {
        let kept = try await trial().kept(
            envelope(
                "\"dataMessage\":{\"timestamp\":7,\"message\":\"\u{FFFC} look https://e.example/\",\"mentions\":[{\"number\":\"+3\",\"start\":0,\"length\":1}]}"
            ))
        #expect(kept.content.summary == ["link https://e.example/"] && kept.content.wishes.description == "look")
    }

    @Test("what is to be seen once is not kept")
    func viewOnce() async throws {
        let kept = try await trial().kept(
            envelope(
                "\"dataMessage\":{\"timestamp\":7,\"viewOnce\":true,\"attachments\":[{\"contentType\":\"image/png\",\"id\":\"c\"}]}"
            ))
        #expect(kept.content.items.isEmpty && kept.content.skipped.map(\.reason) == ["it was sent to be seen once"])
    }

    @Test(
        "receipts, typing, reactions, edits, deletions, what we send and strangers are nothing",
        arguments: [
            "\"receiptMessage\":{\"when\":1}", "\"typingMessage\":{\"action\":\"STARTED\"}",
            "\"dataMessage\":{\"timestamp\":1,\"message\":null,\"reaction\":{\"emoji\":\"x\"}}",
            "\"editMessage\":{\"dataMessage\":{\"message\":\"https://e.example/\"}}",
            "\"dataMessage\":{\"timestamp\":1,\"remoteDelete\":{}}",
            "\"dataMessage\":{\"timestamp\":1,\"message\":null,\"attachments\":[]}", "\"dataMessage\":null",
            "\"syncMessage\":{\"sentMessage\":{\"destinationNumber\":\"+9\",\"message\":\"https://e.example/\"}}",
            "\"syncMessage\":{}", "\"storyMessage\":{}",
            "\"dataMessage\":{\"timestamp\":1,\"message\":\"\u{2063}\u{2063}Pinned\"}",
        ])
    func ignored(_ members: String) async throws {
        guard case .answer(let answer, _) = try await trial().receive(envelope(members)) else {
            Issue.record("taken")
            return
        }
        #expect(answer.status == 200)
    }

    @Test("strangers are ignored, other bodies get 400, and ids that are none are not fetched")
    func refused() async throws {
        let text = envelope("\"dataMessage\":{\"timestamp\":1,\"message\":\"https://e.example/\"}")
        guard case .answer = try await trial(allowed: ["+9"]).receive(text) else {
            Issue.record("taken")
            return
        }
        _ = try await trial(allowed: ["u-1"]).kept(text)
        for body in ["{}", "[]", "null", "{\"params\":7}"] {
            guard case .answer(let answer, _) = try await trial().receive(SampleRequest(json: body)) else {
                Issue.record("taken")
                continue
            }
            #expect(answer.status == 400)
        }
        let trial = try trial()
        for file in ["..", "a/b", "", ".x", "a?b"] {
            await #expect(throws: LinkError.self) {
                try await trial.file(MediaReference(hook: trial.hook.id, file: file))
            }
        }
        #expect(trial.http.sent.isEmpty)
    }
}
