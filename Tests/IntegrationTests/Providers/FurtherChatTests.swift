import Cryptography
import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing
import Web

@Suite(
    "Further chats, from request to pin and answer", .enabled(if: hasSamples, "no sample requests"),
    .timeLimit(.minutes(10)))
struct FurtherChatTests {
    @Test("Mattermost's files are fetched by the bot, and the thread is told")
    func mattermost() async throws {
        try await ChatStage.open("mattermost", secret: "zmigew", token: "bot") { stage in
            stage.api.answer("/api/v4/files/f1", TestPicture.png(seed: 1))
            stage.api.answer("/api/v4/files/f2", TestPicture.png(seed: 2))
            stage.api.answer("/api/v4/posts", "{}", status: 201)
            for file in ["outgoing-form.http", "outgoing-json.json"] {
                let request = try RecordedSample("mattermost/\(file)")
                #expect(try await stage.send(request.headers, bytes: request.body).status == 200)
            }
            #expect(try await stage.messages().count == 1)
            try await stage.finish()
            let items = try await stage.items()
            #expect(items.map(\.state) == [.done, .done])
            #expect(items.allSatisfy { $0.draft.source == "https://example.org/a.jpg" })
            let told = try #require(stage.api.calls("/api/v4/posts").first)
            #expect(told.header("authorization") == "Bearer bot")
            #expect(told.body.contains("\"root_id\":\"p1\"") && told.body.contains("/pins/"))
            // What we said ourselves comes back by the same webhook.
            let said = try #require(JSONMessage(told.body).message)
            let echo = try JSONEncoder().encode(["token": "zmigew", "post_id": "p9", "text": said])
            #expect(try await stage.send([("Content-Type", "application/json")], bytes: Array(echo)).status == 200)
            #expect(try await stage.messages().count == 1)
        }
    }

    @Test("Rocket.Chat's upload is fetched with the user's token")
    func rocketChat() async throws {
        try await ChatStage.open("rocketchat", secret: "rc-token", token: "uid:tok") { stage in
            stage.api.answer("/file-upload/fid/a.png", TestPicture.png(seed: 1))
            stage.api.answer("/api/v1/chat.postMessage", "{\"success\":true}")
            let request = try RecordedSample("rocketchat/outgoing.json")
            let answer = try await stage.send(request.headers, bytes: request.body)
            #expect(answer.status == 200 && !answer.body.isEmpty)
            try await stage.finish()
            #expect(try await stage.items().map(\.state) == [.done])
            let fetched = try #require(stage.api.calls("/file-upload/").first)
            #expect(fetched.header("x-auth-token") == "tok" && fetched.header("x-user-id") == "uid")
            #expect(stage.api.calls("chat.postMessage").count == 1)
        }
    }

    @Test("a redaction by the author takes back what became of the message, and of nothing else anything is said")
    func redaction() async throws {
        try await ChatStage.open("matrix", secret: "tok", token: "as") { stage in
            stage.api.answer("/_matrix/client/v1/media/download/", TestPicture.png(seed: 1))
            stage.api.answer("/_matrix/client/v3/rooms/", "{}")
            func send(_ events: String, _ number: Int) async throws {
                let answer = try await stage.send(
                    [("Authorization", "Bearer tok"), ("Content-Type", "application/json")],
                    bytes: Array(#"{"events":[\#(events)]}"#.utf8), method: "PUT",
                    target: "/_matrix/app/v1/transactions/t\(number)")
                #expect(answer.status == 200)
                try await stage.finish()
            }
            func redaction(_ id: String, of event: String, by person: String) -> String {
                #"{"type":"m.room.redaction","event_id":"\#(id)","room_id":"!r:h","sender":"\#(person)","redacts":"\#(event)","content":{}}"#
            }
            let image =
                #"{"type":"m.room.message","event_id":"$1","room_id":"!r:h","sender":"@ada:h","content":"#
                + #"{"msgtype":"m.image","body":"a.png","url":"mxc://h/abc","info":{"mimetype":"image/png"}}}"#
            let edit =
                #"{"type":"m.room.message","event_id":"$2","room_id":"!r:h","sender":"@ada:h","content":"#
                + #"{"msgtype":"m.text","body":"* https://e.example/","m.relates_to":{"rel_type":"m.replace","event_id":"$1"}}}"#
            try await send("\(image),\(edit)", 1)
            #expect(stage.delivery.pinry.pins.count == 1)
            let told = stage.api.calls("/send/").count
            try await send(redaction("$3", of: "$1", by: "@eve:h") + "," + redaction("$4", of: "$9", by: "@ada:h"), 2)
            #expect(stage.delivery.pinry.pins.count == 1 && stage.api.calls("/send/").count == told)
            try await send(redaction("$5", of: "$1", by: "@ada:h"), 3)
            #expect(stage.delivery.pinry.pins.isEmpty)
            #expect(stage.api.calls("/send/").last?.body.contains("The pin is removed.") == true)
        }
    }

    @Test("hookshot brings the file, by PUT; a homeserver's transaction names it")
    func matrix() async throws {
        try await ChatStage.open("matrix", secret: "tok", token: "as") { stage in
            stage.api.answer("/_matrix/client/v1/media/download/example.org/JWEIFJ", TestPicture.png(seed: 1))
            stage.api.answer("/_matrix/client/v3/rooms/", "{}")
            let outbound = try RecordedSample("matrix/hookshot-outbound.http")
            let first = try await stage.send(
                outbound.headers, bytes: outbound.body, method: outbound.method, target: "/\(stage.hookToken)")
            #expect(first.status == 200)
            let transaction = try RecordedSample("matrix/appservice-transaction.json")
            // The homeserver's own token is proof enough; ours may stand in the address as well.
            for target in ["/\(stage.hookToken)/_matrix/app/v1/transactions/t1", "/_matrix/app/v1/transactions/t2"] {
                let answer = try await stage.send(
                    transaction.headers + [("Authorization", "Bearer tok")], bytes: transaction.body, method: "PUT",
                    target: target)
                #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self) == "{}")
            }
            let wrong = try await stage.send(
                transaction.headers + [("Authorization", "Bearer other")], bytes: transaction.body, method: "PUT",
                target: "/\(stage.hookToken)/_matrix/app/v1/transactions/t3")
            #expect(wrong.status == 401)
            #expect(try await stage.messages().count == 2)
            try await stage.finish()
            #expect(Set(try await stage.items().map(\.state)) == [.done])
            #expect(try await stage.items().count == 2)
            #expect(stage.api.calls("/send/m.room.message/").count == 2)
        }
    }

    @Test("WhatsApp's question is answered without a token, its messages are apart, and its pictures come in two steps")
    func whatsApp() async throws {
        try await ChatStage.open("whatsapp", options: ["verify-token": "choose-me"], secret: "app", token: "t") {
            stage in
            stage.api.answer("/MEDIA1", "{\"url\":\"\(stage.api.url)/cdn/1?x=1\",\"mime_type\":\"image/jpeg\"}")
            stage.api.answer("/MEDIA2", "{\"url\":\"https://lookaside.fbsbx.com/cdn/2\"}")
            stage.api.answer("/cdn/1", TestPicture.png(seed: 1))
            stage.api.answer("/cdn/2", TestPicture.png(seed: 2))
            stage.api.answer("/PNID/messages", "{}")
            let question = try await stage.send(
                [], bytes: [], method: "GET",
                target: "?hub.mode=subscribe&hub.verify_token=choose-me&hub.challenge=1158201444")
            #expect(question.status == 200 && question.body.elementsEqual("1158201444".utf8))
            for file in ["whatsapp/image.json", "whatsapp/batch-and-status.json", "whatsapp/image.json"] {
                let body = try RecordedSample(file).body
                let code = HMAC.code(of: body, key: Array("app".utf8)).map {
                    ($0 < 16 ? "0" : "") + String($0, radix: 16)
                }
                let answer = try await stage.send(
                    [("Content-Type", "application/json"), ("X-Hub-Signature-256", "sha256=" + code.joined())],
                    bytes: body)
                #expect(answer.status == 200)
            }
            #expect(try await stage.messages().count == 3)
            try await stage.split()
            let media = try await stage.items().filter { if case .media = $0.kind { true } else { false } }
            #expect(media.count == 2)
            try await stage.finish()
            #expect(stage.api.calls("/cdn/").allSatisfy { $0.header("authorization") == "Bearer t" })
            #expect(stage.api.calls("/cdn/").count == 2)
        }
    }

    @Test("LINE's set is one message, also when one of its events comes again")
    func line() async throws {
        try await ChatStage.open("line", secret: "chan", token: "t") { stage in
            for (index, id) in ["354718705033693859", "354718705033693861"].enumerated() {
                stage.api.answer("/v2/bot/message/\(id)/content", TestPicture.png(seed: index))
            }
            stage.api.answer("/v2/bot/message/reply", "{}")
            let request = try RecordedSample("line/image-set.json")
            let code = Data(HMAC.code(of: request.body, key: Array("chan".utf8))).base64EncodedString()
            for _ in 0..<2 {
                let answer = try await stage.send(request.headers + [("X-Line-Signature", code)], bytes: request.body)
                #expect(answer.status == 200)
            }
            try await stage.finish()
            let items = try await stage.items()
            #expect(items.map(\.state) == [.done, .done] && Set(items.map(\.message)).count == 1)
            #expect(stage.api.calls("/v2/bot/message/reply").count == 1)
            #expect(stage.delivery.pinry.requests(like: "PATCH") == 1)
        }
    }

    @Test("LINE, whose way back closes within a minute, is told at once that an Undo did not work")
    func lineUndo() async throws {
        try await ChatStage.open("line", secret: "chan", token: "t") { stage in
            stage.api.answer("/v2/bot/message/7/content", TestPicture.png(seed: 1))
            stage.api.answer("/v2/bot/message/reply", "{}")
            func send(_ number: Int, _ message: String) async throws {
                let body = """
                    {"events":[{"type":"message","message":{\(message)},"source":{"type":"user","userId":"Uada"},\
                    "webhookEventId":"e\(number)","replyToken":"r\(number)","mode":"active"}]}
                    """
                let code = Data(HMAC.code(of: Array(body.utf8), key: Array("chan".utf8))).base64EncodedString()
                #expect(try await stage.send([("X-Line-Signature", code)], body).status == 200)
                try await stage.finish()
            }
            try await send(1, #""type":"image","id":"7","contentProvider":{"type":"line"}"#)
            #expect(stage.delivery.pinry.pins.count == 1)
            stage.delivery.pinry.misbehave([PinryFault(.status(503), on: "GET /api/v2/pins/")])
            try await send(2, #""type":"text","id":"8","text":"undo""#)
            #expect(stage.api.calls("/v2/bot/message/reply").last?.body.contains("does not answer") == true)
            #expect(stage.delivery.pinry.pins.count == 1)
        }
    }

    @Test("Signal's picture is fetched by its id, and the person is told")
    func signal() async throws {
        try await ChatStage.open("signal", secret: nil, token: nil) { stage in
            stage.api.answer("/v1/attachments/abcDEF123.jpg", TestPicture.png(seed: 1))
            stage.api.answer("/v2/send", "{}", status: 201)
            let request = try RecordedSample("signal/receive.json")
            for _ in 0..<2 {
                let answer = try await stage.send(request.headers, bytes: request.body, target: "/\(stage.hookToken)")
                #expect(answer.status == 200)
            }
            try await stage.finish()
            #expect(try await stage.items().map(\.state) == [.done])
            let told = try #require(stage.api.calls("/v2/send").first)
            #expect(
                told.body.contains("\"recipients\":[\"+15550002222\"]")
                    && told.body.contains("\"number\":\"+15550001111\""))
        }
    }

    @Test("Twilio's signature covers our public address; its files are fetched with the account's token")
    func twilio() async throws {
        try await ChatStage.open("twilio", secret: "auth", token: nil) { stage in
            stage.api.answer("/2010-04-01/Accounts/AC1/Messages/MM1/Media/", TestPicture.png(seed: 1))
            stage.api.answer("/2010-04-01/Accounts/AC1/Messages.json", "{}", status: 201)
            let request = try RecordedSample("twilio/mms.http")
            let fields = String(decoding: request.body, as: UTF8.self).split(separator: "&").map { field in
                field.split(separator: "=", omittingEmptySubsequences: false).map { Self.decoded($0) }
            }.sorted { $0[0] < $1[0] }.map { $0.joined() }.joined()
            let signed = Array("https://in.example/v1/hooks/hook1\(fields)".utf8)
            let code = Data(HMAC.code(of: signed, key: Array("auth".utf8), hash: .sha1)).base64EncodedString()
            let headers = request.headers.filter { $0.0 != "X-Twilio-Signature" }
            let answer = try await stage.send(headers + [("X-Twilio-Signature", code)], bytes: request.body)
            #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self).contains("<Response/>"))
            #expect(answer.fields.contains { $0.name.lowercased() == "content-type" && $0.value == "text/xml" })
            #expect(try await stage.send(headers + [("X-Twilio-Signature", "QQ==")], bytes: request.body).status == 401)
            try await stage.split()
            #expect(try await stage.items().count == 2)
            try await stage.finish()
            let fetched = stage.api.calls("/Media/")
            #expect(fetched.map { $0.header("authorization") } == Array(repeating: "Basic QUMxOmF1dGg=", count: 2))
            #expect(stage.api.calls("Messages.json").count == 1)
        }
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The text of a post that we made.
private struct JSONMessage: Decodable {
    let message: String?

    init(_ text: String) throws { self = try JSONDecoder().decode(JSONMessage.self, from: Data(text.utf8)) }
}
