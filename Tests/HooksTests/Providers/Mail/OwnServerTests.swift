import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing

@testable import Hooks

@Suite("Postal")
struct PostalTests {
    private let trial: ProviderTrial

    init() throws { trial = try ProviderTrial("postal") }

    @Test("the raw mail goes the mail way, of JSON and of a form, with its base64 in lines")
    func raw() async throws {
        let mime = "From: a@b\r\nSubject: ü\r\n\r\n" + String(repeating: "hello ", count: 40)
        let base64 =
            Data(mime.utf8).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed]) + "\n"
        let json = """
            {"id":7,"rcpt_to":"ada+trips@in","mail_from":"x@y","message":\(JSONText.quote(base64)),"base64":true,"size":9}
            """
        let kept = try await trial.kept(SampleRequest(json: json))
        #expect(kept.delivery.source == .mail && kept.mime == mime)
        #expect(kept.delivery.envelope.boardSlug == "trips" && kept.delivery.envelope.sender == "x@y")
        let form = SampleRequest(form: [
            ("id", "7"), ("rcpt_to", "ada@in"), ("message", base64), ("base64", "true"),
        ])
        let other = try await trial.kept(form)
        #expect(other.mime == mime && other.delivery.key == kept.delivery.key)
        let plain = SampleRequest(
            json: "{\"id\":8,\"rcpt_to\":\"a@in\",\"message\":\"From: a@b\\r\\n\\r\\nhi\",\"base64\":false}")
        #expect(try await trial.kept(plain).mime == "From: a@b\r\n\r\nhi")
    }

    @Test("a mail that was taken apart has its words and files, of JSON and of a form")
    func parsed() async throws {
        let json = """
            {"id":9,"rcpt_to":"a@in","subject":"Re: Sea #x","plain_body":"Look https://example.org/p\\n-- \\nme",\
            "replies_from_plain_body":null,"attachments":[{"filename":"a/b.png","content_type":"image/png",\
            "data":"\(TinyPNG.base64)\\n"},{"filename":"n.txt","data":"aGk="}],"reply_to":["x"],"timestamp":1.5}
            """
        let form = SampleRequest(form: [
            ("id", "9"), ("rcpt_to", "a@in"), ("subject", "Re: Sea #x"),
            ("plain_body", "Look https://example.org/p\n-- \nme"),
            ("attachments[0][filename]", "a/b.png"), ("attachments[0][data]", TinyPNG.base64 + "\n"),
            ("attachments[1][filename]", "n.txt"), ("attachments[1][data]", "aGk="),
        ])
        for request in [SampleRequest(json: json), form] {
            let kept = try await trial.kept(request)
            #expect(kept.content.summary == ["picture b.png image/png 73"])
            #expect(kept.content.wishes.description == "Sea" && kept.content.wishes.tags == ["x"])
            #expect(kept.content.items.first?.wishes.source == "https://example.org/p")
            #expect(kept.content.skipped.map(\.name) == ["n.txt"])
        }
    }

    @Test("bounces and events are ignored, other bodies refused")
    func others() async throws {
        let cases = [
            ("{\"id\":1,\"rcpt_to\":\"a@in\",\"bounce\":true}", 200),
            ("{\"event\":\"MessageSent\",\"payload\":{}}", 200),
            ("{}", 400), ("[]", 400), ("null", 400),
            ("{\"id\":1,\"rcpt_to\":\"a\",\"message\":\"***\",\"base64\":true}", 400),
        ]
        for (body, status) in cases {
            guard case .answer(let answer, _) = try await trial.receive(SampleRequest(json: body)) else {
                Issue.record("taken: \(body)")
                continue
            }
            #expect(answer.status == status, "\(body)")
        }
    }

    @Test("where the hook has Postal's key, only what is signed is kept")
    func signed() async throws {
        let trial = try ProviderTrial("postal", secret: RSASamples.publicKey)
        let body = SampleRequest(json: "{\"id\":7}")
        guard case .answer = try await trial.receive(body.with("x-postal-signature-256", RSASamples.body)) else {
            Issue.record("a right signature was refused")
            return
        }
        for request in [body, body.with("x-postal-signature-256", RSASamples.olderBody)] {
            guard case .refuse = try await trial.receive(request) else {
                Issue.record("taken")
                continue
            }
        }
    }
}

@Suite("mox")
struct MoxTests {
    private static let incoming = """
        {"Version":0,"From":[{"Name":"Ada","Address":"ada@example.org"}],"Subject":"Sea","MessageID":"<m@x>",\
        "Text":"Look\\nhttps://example.org/p","HTML":"","Structure":{"ContentType":"multipart/mixed","Parts":[\
        {"ContentType":"multipart/related","Parts":[{"ContentType":"text/plain","DecodedSize":20},\
        {"ContentType":"image/png","ContentID":"<logo>","ContentDisposition":"inline","Filename":"logo.png","DecodedSize":900}]},\
        {"ContentType":"image/jpeg","ContentDisposition":"attachment","Filename":"../IMG 1.jpg","DecodedSize":900000},\
        {"ContentType":"application/octet-stream","Filename":"IMG_2.HEIC","DecodedSize":5},\
        {"ContentType":"application/pdf","ContentDisposition":"attachment","Filename":"x.pdf"}]},\
        "Meta":{"MsgID":12,"MailFrom":"ada@example.org","RcptTo":"pins+trips@in.example","Automated":false}}
        """

    @Test("the structure names the files, which are fetched one by one with the account's password")
    func files() async throws {
        let base = "https://mox.example/webapi/v0"
        let trial = try ProviderTrial(
            "mox", token: "ada@in.example:pass", apiBase: base, answers: ["\(base)/MessagePartGet": .png])
        let kept = try await trial.kept(SampleRequest(json: Self.incoming))
        #expect(kept.content.summary == ["media 12/1 IMG 1.jpg", "media 12/2 IMG_2.HEIC"])
        #expect(kept.content.skipped.map(\.name) == ["logo.png", "x.pdf"])
        #expect(kept.content.wishes.description == "Sea")
        #expect(kept.delivery.envelope.boardSlug == "trips")
        #expect(try await trial.file(kept.media[0]) == TinyPNG.bytes)
        let call = try #require(trial.http.sent.first)
        #expect(call.authorization == "Basic " + Data("ada@in.example:pass".utf8).base64EncodedString())
        guard case .bytes(let form, "application/x-www-form-urlencoded") = call.request.body else {
            Issue.record("not a form")
            return
        }
        #expect(
            FormFields(form).map { String(decoding: $0.value, as: UTF8.self) } == ["{\"MsgID\":12,\"PartPath\":[1]}"])
    }

    @Test("a mail that is one picture has the empty path")
    func single() async throws {
        let trial = try ProviderTrial("mox", token: "a:b", apiBase: "https://mox.example/webapi/v0")
        let json = "{\"Structure\":{\"ContentType\":\"image/png\"},\"Meta\":{\"MsgID\":3}}"
        let kept = try await trial.kept(SampleRequest(json: json))
        #expect(kept.content.summary == ["media 3/ -"])
        await #expect(throws: LinkError.self) { try await trial.file(kept.media[0]) }
        #expect(trial.http.sent.count == 1)
        for file in ["x/1", "3", "3/1.x", "3/1/2", ""] {
            await #expect(throws: LinkError.self) {
                try await trial.file(MediaReference(hook: trial.hook.id, file: file))
            }
        }
        #expect(trial.http.sent.count == 1)
    }

    @Test("events are ignored; 200 is the only word that ends mox's attempts")
    func others() async throws {
        let trial = try ProviderTrial("mox")
        for body in ["{\"Version\":0,\"Event\":\"delivered\"}", "{}", "[]", "null", "{\"Meta\":1,\"Structure\":2}"] {
            guard case .answer(let answer, _) = try await trial.receive(SampleRequest(json: body)) else {
                Issue.record("taken: \(body)")
                continue
            }
            #expect(answer.status == 200)
        }
        #expect(MoxProvider().answer(to: .temporary).status == 503)
    }
}
