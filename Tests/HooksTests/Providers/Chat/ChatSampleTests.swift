import Cryptography
import PinpostCore
import Testing

@testable import Hooks

@Suite("A chat's sample", .enabled(if: Samples.areThere, "the samples are not on this machine"))
struct ChatSampleTests {
    @Test("Mattermost's post has two files and a link, as a form and as JSON", arguments: ["form.http", "json.json"])
    func mattermost(_ file: String) async throws {
        let trial = try ProviderTrial("mattermost", secret: "zmigew", token: "bot", apiBase: "https://chat.example")
        let kept = try await trial.kept(SampleRequest(sample: "mattermost/outgoing-\(file)"))
        #expect(kept.content.summary == ["media f1 -", "media f2 -"])
        #expect(kept.content.items.allSatisfy { $0.wishes.source == "https://example.org/a.jpg" })
        #expect(kept.content.wishes.description == nil)
        #expect(kept.delivery.answer.contentType == "application/json")
        #expect(kept.delivery.answer.body.contains("\"response_type\":\"comment\""))
    }

    @Test("Rocket.Chat's upload is one file of the server's own")
    func rocketChat() async throws {
        let trial = try ProviderTrial("rocketchat", secret: "rc-token", token: "u:t", apiBase: "https://rc.example")
        let kept = try await trial.kept(SampleRequest(sample: "rocketchat/outgoing.json"))
        #expect(kept.content.summary == ["media /file-upload/fid/a.png a.png"])
        #expect(kept.content.wishes.description == "pin this")
        #expect(kept.delivery.answer.body.isEmpty == false)
    }

    @Test("hookshot's event brings the picture with it")
    func hookshot() async throws {
        let trial = try ProviderTrial("matrix", secret: "tok")
        let kept = try await trial.kept(SampleRequest(sample: "matrix/hookshot-outbound.http"))
        #expect(kept.content.summary == ["picture img.png image/png 73"])
        #expect(kept.content.wishes.description == "a nice view")
        #expect(kept.content.wishes.tags == ["alps"])
        #expect(kept.delivery.answer.status == 200 && kept.delivery.answer.body == "{}")
    }

    @Test("a homeserver's transaction has one picture")
    func appservice() async throws {
        let url = "https://m.example/_matrix/client/v1/media/download/example.org/JWEIFJ"
        let trial = try ProviderTrial(
            "matrix", secret: "hs", token: "as", apiBase: "https://m.example", answers: [url: .png])
        var sample = try SampleRequest(sample: "matrix/appservice-transaction.json").with("authorization", "Bearer hs")
        sample.method = "PUT"
        sample.path = ["_matrix", "app", "v1", "transactions", "t1"]
        let kept = try await trial.keptEach(sample)
        #expect(kept.map(\.content.summary) == [["media mxc://example.org/JWEIFJ filename.jpg"]])
        #expect(kept.map(\.delivery.answer.body) == ["{}"])
        #expect(try await trial.file(kept[0].media[0]) == TinyPNG.bytes)
        #expect(trial.http.sent.map(\.authorization) == ["Bearer as"])
    }

    private func whatsApp(_ file: String, _ trial: ProviderTrial) async throws -> [KeptPost] {
        let sample = try SampleRequest(sample: file)
        let code = hexCode(of: String(decoding: sample.body, as: UTF8.self), key: "app")
        return try await trial.keptEach(sample.with("x-hub-signature-256", "sha256=" + code))
    }

    @Test("WhatsApp's picture is fetched in two steps, both with the token")
    func whatsAppImage() async throws {
        let base = "http://127.0.0.1:9"
        let trial = try ProviderTrial(
            "whatsapp", secret: "app", token: "t0k", apiBase: base,
            answers: ["\(base)/MEDIA1": .answer(200, "{\"url\":\"\(base)/x/y?z=1\"}"), "\(base)/x/y?z=1": .png])
        let kept = try await whatsApp("whatsapp/image.json", trial)
        #expect(kept.map(\.content.summary) == [["media MEDIA1 -"]])
        #expect(kept[0].content.wishes.tags == ["sunset"])
        #expect(try await trial.file(kept[0].media[0]) == TinyPNG.bytes)
        #expect(trial.http.sent.map(\.authorization) == ["Bearer t0k", "Bearer t0k"])
    }

    @Test("WhatsApp's batch has a link and a picture, and what became of our own messages is ignored")
    func whatsAppBatch() async throws {
        let kept = try await whatsApp("whatsapp/batch-and-status.json", ProviderTrial("whatsapp", secret: "app"))
        #expect(kept.map(\.content.summary) == [["link https://example.org/a"], ["media MEDIA2 x.heic"]])
    }

    @Test("WhatsApp's question is answered where the token is right")
    func whatsAppQuestion() async throws {
        let sample = try SampleRequest(sample: "whatsapp/verify-get.http")
        for (token, status, body) in [("choose-me", 200, "1158201444"), ("other", 403, "")] {
            let trial = try ProviderTrial("whatsapp", secret: "app", options: ["verify-token": token])
            guard case .answer(let answer, _) = try await trial.receive(sample) else {
                Issue.record("not answered")
                continue
            }
            #expect(answer.status == status && answer.body == body)
            #expect(answer.contentType?.hasPrefix("text/plain") == true)
        }
    }

    @Test("Twilio's message has two pictures; its answer is TwiML")
    func twilio() async throws {
        let base = "http://127.0.0.1:9"
        let path = "/2010-04-01/Accounts/AC1/Messages/MM1/Media/"
        let moved = HTTPResponse.answer(307, headers: [("location", "https://mms.twiliocdn.com/AC1/x?s=1")])
        let trial = try ProviderTrial(
            "twilio", secret: "auth", apiBase: base,
            answers: [
                "\(base)\(path)ME1": .png, "\(base)\(path)ME2": moved, "https://mms.twiliocdn.com/AC1/x?s=1": .png,
            ])
        var sample = try SampleRequest(sample: "twilio/mms.http")
        sample.url = "https://in.example/hooks/twilio/T"
        let fields = FormFields(sample.body).map {
            (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
        }.sorted { $0.0 < $1.0 }.map { $0.0 + $0.1 }.joined()
        let code = base64Code(of: "https://in.example/hooks/twilio/T" + fields, key: "auth", hash: .sha1)
        let kept = try await trial.kept(sample.with("x-twilio-signature", code))
        #expect(kept.media.map(\.type) == ["image/jpeg", "image/heic"])
        #expect(kept.content.wishes.description == "beach" && kept.content.wishes.tags == ["summer"])
        #expect(kept.delivery.answer.contentType == "text/xml")
        #expect(kept.delivery.answer.body.hasSuffix("<Response/>"))
        for media in kept.media { #expect(try await trial.file(media) == TinyPNG.bytes) }
        // The redirect is followed without the credentials, under the rules for links.
        #expect(trial.http.sent.map(\.isProvider) == [true, true, false])
        #expect(trial.http.sent.map(\.authorization) == ["Basic QUMxOmF1dGg=", "Basic QUMxOmF1dGg=", nil])
    }

    @Test("LINE's set of two pictures is one album in its order")
    func line() async throws {
        let url = "https://api-data.line.me/v2/bot/message/354718705033693859/content"
        let trial = try ProviderTrial("line", secret: "chan", token: "t", answers: [url: .png])
        let sample = try SampleRequest(sample: "line/image-set.json")
        let code = base64Code(of: String(decoding: sample.body, as: UTF8.self), key: "chan")
        let kept = try await trial.keptEach(sample.with("x-line-signature", code))
        #expect(kept.map(\.content.summary) == [["media 354718705033693859 -"], ["media 354718705033693861 -"]])
        #expect(kept.map { $0.delivery.album?.total } == [2, 2])
        #expect(kept.map { $0.delivery.album?.position } == [1, 2])
        #expect(kept[0].delivery.album?.key == kept[1].delivery.album?.key)
        #expect(kept[0].delivery.key != kept[1].delivery.key)
        let album = try await trial.album([kept[1].delivery, kept[0].delivery])
        #expect(album.summary == ["media 354718705033693859 -", "media 354718705033693861 -"])
        #expect(try await trial.file(kept[0].media[0]) == TinyPNG.bytes)
    }

    @Test("LINE's Verify button gets 200")
    func lineVerify() async throws {
        let sample = try SampleRequest(sample: "line/verify-empty.json")
        let code = base64Code(of: String(decoding: sample.body, as: UTF8.self), key: "chan")
        let trial = try ProviderTrial("line", secret: "chan")
        guard case .answer(let answer, _) = try await trial.receive(sample.with("x-line-signature", code)) else {
            Issue.record("not answered")
            return
        }
        #expect(answer.status == 200)
    }

    @Test("Signal's message has a picture and a link")
    func signal() async throws {
        let base = "http://127.0.0.1:9"
        let trial = try ProviderTrial(
            "signal", apiBase: base, answers: ["\(base)/v1/attachments/abcDEF123.jpg": .png])
        let kept = try await trial.kept(SampleRequest(sample: "signal/receive.json"))
        #expect(kept.content.summary == ["media abcDEF123.jpg -"])
        #expect(kept.content.items.first?.wishes.source == "https://example.org/p")
        #expect(kept.content.wishes.description == "from signal" && kept.content.wishes.tags == ["art"])
        #expect(try await trial.file(kept.media[0]) == TinyPNG.bytes)
        #expect(trial.http.sent.map(\.authorization) == [nil])
    }
}
