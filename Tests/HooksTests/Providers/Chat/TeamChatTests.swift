import PinpostCore
import Testing

@testable import Hooks

@Suite("Mattermost")
struct MattermostTests {
    private func trial(token: String? = nil, allowed: [String] = []) throws -> ProviderTrial {
        try ProviderTrial("mattermost", secret: "t", token: token, apiBase: "https://chat.example", allowed: allowed)
    }

    private func post(_ members: String) -> SampleRequest { SampleRequest(json: "{\"token\":\"t\",\(members)}") }

    @Test("the trigger word is no word of the pin; tags and board are read")
    func words() async throws {
        let kept = try await trial().kept(
            post(
                "\"post_id\":\"p\",\"trigger_word\":\"pin:\",\"text\":\"pin: the pier #sea\\nboard: Trips\\nhttps://e.example/a\""
            ))
        #expect(kept.content.summary == ["link https://e.example/a"])
        #expect(kept.content.wishes.description == "the pier")
        #expect(kept.content.wishes.tags == ["sea"] && kept.content.wishes.board == "Trips")
    }

    @Test("files may stand in a list, and are asked for once each")
    func files() async throws {
        let kept = try await trial(token: "bot").kept(post("\"text\":\"\",\"file_ids\":[\"a1\",\"b2\",\"a1\"]"))
        #expect(kept.content.summary == ["media a1 -", "media b2 -"])
        let trial = try trial(token: "bot")
        for file in ["../x", "a/b", "", "a?b"] {
            await #expect(throws: LinkError.self) {
                try await trial.file(MediaReference(hook: trial.hook.id, file: file))
            }
        }
        #expect(trial.http.sent.isEmpty)
    }

    @Test("every post is answered at once; with a bot's token the thread hears later what became of it")
    func answers() async throws {
        let later = try await trial(token: "bot").kept(
            post("\"text\":\"https://e.example/\",\"channel_id\":\"c\",\"post_id\":\"p\""))
        #expect(later.delivery.answer.body.contains("Received"))
        #expect(later.delivery.envelope.reply?.fields == ["channel": "c", "post": "p"])
        let now = try await trial().kept(post("\"text\":\"https://e.example/\",\"channel_id\":\"c\""))
        #expect(now.delivery.answer.body.contains("Received") && now.delivery.envelope.reply == nil)
    }

    @Test(
        "without a bot's token the link beside files is pinned, and the answer says what is left out, why, and the remedy"
    )
    func noToken() async throws {
        let both = try await trial().kept(post("\"text\":\"https://e.example/a\",\"file_ids\":[\"a1\",\"b2\"]"))
        #expect(both.content.summary == ["link https://e.example/a"])
        #expect(
            both.content.skipped.count == 2 && both.content.skipped.allSatisfy { $0.reason.contains("--token-file") })
        let answer = both.delivery.answer.body
        #expect(
            answer.contains("Received") && answer.contains("2 files are left out: no way to fetch files"))
        #expect(answer.contains("ask whoever runs Pinpost"))
        #expect(!answer.contains("--") && !answer.contains("`"))
        let alone = try await trial().kept(post("\"text\":\"\",\"file_ids\":[\"a1\"]"))
        #expect(alone.content.items.isEmpty && alone.delivery.answer.body.contains("Nothing is pinned."))
        let room = try ProviderTrial("rocketchat", secret: "t")
        let message = """
            {"token":"t","message_id":"m","channel_id":"c","text":"https://e.example/a","message":{"files":\
            [{"_id":"a","name":"one.png","type":"image/png"}]}}
            """
        let beside = try await room.kept(SampleRequest(json: message))
        #expect(beside.content.summary == ["link https://e.example/a"])
        #expect(beside.delivery.answer.body.contains("The file is left out"))
        #expect(beside.content.skipped.map(\.reason).first?.contains("--token-file FILE --api-base URL") == true)
        #expect(!beside.delivery.answer.body.contains("--"))
    }

    @Test("our own answers, strangers and other bodies are left alone")
    func ignored() async throws {
        let own = JSONText.quote(OwnAnswer.marked("Pinned: https://pinry.example/pins/1"))
        for (request, allowed) in [
            (post("\"text\":\(own)"), []), (post("\"text\":\"x\",\"user_name\":\"eve\""), ["ada", "ch1"]),
        ] {
            guard case .answer(let answer, _) = try await trial(allowed: allowed).receive(request) else {
                Issue.record("taken")
                continue
            }
            #expect(answer.status == 200)
        }
        _ = try await trial(allowed: ["pins"]).kept(post("\"text\":\"https://e.example/\",\"channel_name\":\"pins\""))
        guard case .answer(let answer, _) = try await trial().receive(post("\"x\":1")) else {
            Issue.record("taken")
            return
        }
        #expect(answer.status == 400)
        guard case .refuse = try await trial().receive(SampleRequest(json: "{\"token\":\"u\",\"text\":\"x\"}")) else {
            Issue.record("taken")
            return
        }
    }
}

@Suite("Rocket.Chat")
struct RocketChatTests {
    private func trial(token: String? = nil) throws -> ProviderTrial {
        try ProviderTrial("rocketchat", secret: "t", token: token, apiBase: "https://rc.example")
    }

    private func post(_ members: String) -> SampleRequest {
        SampleRequest(json: "{\"token\":\"t\",\"message_id\":\"m\",\"channel_id\":\"c\",\(members)}")
    }

    @Test("a quote is no link of its own, and null is nothing")
    func quotes() async throws {
        let quote = "[ ](https://rc.example/channel/general?msg=1)"
        let kept = try await trial(token: "u:t").kept(
            post("\"text\":\"\(quote) \(quote)\\nlook https://e.example/a\",\"message\":{\"bot\":null,\"file\":null}"))
        #expect(kept.content.summary == ["link https://e.example/a"] && kept.content.wishes.description == "look")
        let film = #"{"title":"v.mp4","title_link":"/file-upload/v/v.mp4","image_url":null,"type":"file"}"#
        let none = try await trial(token: "u:t").kept(post("\"text\":\"\",\"message\":{\"attachments\":[\(film)]}"))
        #expect(none.content.items.isEmpty && none.content.skipped.map(\.reason) == ["films are not pinned"])
    }

    @Test("several files, each with a small copy, are several pictures; other files are left out")
    func files() async throws {
        let kept = try await trial(token: "u:t").kept(
            post(
                """
                "text":"","message":{"files":[{"_id":"a","name":"one.png","type":"image/png"},\
                {"_id":"b","name":"thumb-one.png","type":"image/png"},{"_id":"c","name":"two words.jpg","type":"image/jpeg"},\
                {"_id":"d","name":"x.pdf","type":"application/pdf"}]}
                """))
        #expect(
            kept.content.summary == [
                "media /file-upload/a/one.png one.png", "media /file-upload/c/two%20words.jpg two words.jpg",
            ])
        #expect(kept.content.skipped.map(\.name) == ["x.pdf"])
    }

    @Test(
        "a picture from elsewhere is a link to a picture, a quoted one is nobody's, the server's own address is cut off"
    )
    func attachments() async throws {
        let kept = try await trial(token: "u:t").kept(
            post(
                """
                "text":"look","message":{"attachments":[{"image_url":"https://cdn.example/x.jpg"},\
                {"message_link":"https://rc.example/x","image_url":"/file-upload/q/q.png"},\
                {"title":"y.png","description":"the bay","title_link":"https://rc.example/file-upload/y/y.png","image_url":"/file-upload/y/y.png"},\
                {"image_url":"/file-upload/y/y.png","title":"y.png"},{"image_url":"/avatar/x"}]}
                """))
        #expect(
            kept.content.summary.prefix(2) == ["media /file-upload/y/y.png y.png", "image https://cdn.example/x.jpg"])
        #expect(kept.content.wishes.description == "look\nthe bay")
    }

    @Test("bots, edits and events without a message are ignored; the answer is never empty")
    func ignored() async throws {
        let own = JSONText.quote(OwnAnswer.marked("x"))
        for members in [
            "\"bot\":true,\"text\":\"x\"", "\"isEdited\":true,\"text\":\"x\"", "\"message\":{\"bot\":{\"i\":\"1\"}}",
            "\"text\":\(own)",
            "\"message_id\":null,\"text\":\"x\"",
        ] {
            let request =
                members.hasPrefix("\"message_id\"")
                ? SampleRequest(json: "{\"token\":\"t\",\(members)}") : post(members)
            guard case .answer(let answer, _) = try await trial().receive(request) else {
                Issue.record("taken: \(members)")
                continue
            }
            #expect(answer.status == 200 && !answer.body.isEmpty)
        }
        let kept = try await trial().kept(post("\"bot\":false,\"alias\":null,\"text\":\"https://e.example/\""))
        #expect(kept.delivery.answer.body.contains("\"text\""))
    }

    @Test("files are fetched below uploads alone, with the user's id and token")
    func fetching() async throws {
        for token in [nil, "no-colon", "a:b;c", "a:b\r\nX: y"] {
            let trial = try trial(token: token)
            await #expect(throws: LinkError.self) {
                try await trial.file(MediaReference(hook: trial.hook.id, file: "/file-upload/a/b.png"))
            }
            #expect(trial.http.sent.isEmpty)
        }
        let trial = try trial(token: "u:t")
        for file in ["/api/v1/me", "https://evil.example/file-upload/a", "/file-upload/../api", ""] {
            await #expect(throws: LinkError.self) {
                try await trial.file(MediaReference(hook: trial.hook.id, file: file))
            }
        }
        #expect(trial.http.sent.isEmpty)
    }
}

@Suite("Matrix")
struct MatrixTests {
    private func trial(secret: String? = nil, allowed: [String] = [], bot: String? = nil) throws -> ProviderTrial {
        var options: [String: String] = [:]
        options["bot"] = bot
        return try ProviderTrial(
            "matrix", secret: secret, token: "as", apiBase: "https://m.example", allowed: allowed, options: options)
    }

    private func event(_ content: String, id: String = "$1", sender: String = "@ada:x", type: String = "m.room.message")
        -> String
    {
        """
        {"type":"\(type)","room_id":"!r:x","event_id":"\(id)","sender":"\(sender)","content":\(content)}
        """
    }

    private func transaction(_ events: [String], path: [String] = ["_matrix", "app", "v1", "transactions", "7"])
        -> SampleRequest
    {
        var request = SampleRequest(json: "{\"events\":[\(events.joined(separator: ","))],\"ephemeral\":[]}")
        request.method = "PUT"
        request.path = path
        return request
    }

    @Test("each message of a transaction is one of its own; notices, edits and the rest are none")
    func transactions() async throws {
        let kept = try await trial(bot: "@pins:x").keptEach(
            transaction([
                event("{\"msgtype\":\"m.text\",\"body\":\"see https://e.example/a #x\"}"),
                event("{\"msgtype\":\"m.notice\",\"body\":\"https://e.example/no\"}", id: "$2"),
                event(
                    "{\"msgtype\":\"m.text\",\"body\":\"* https://e.example/no\",\"m.relates_to\":{\"rel_type\":\"m.replace\"}}",
                    id: "$3"),
                event("{\"algorithm\":\"m.megolm\"}", id: "$4", type: "m.room.encrypted"), event("{}", id: "$5"),
                event("{\"msgtype\":\"m.text\",\"body\":\"https://e.example/no\"}", id: "$6", sender: "@pins:x"),
                event(
                    "{\"msgtype\":\"m.text\",\"body\":\"> <@b:x> https://e.example/old\\n\\nthis https://e.example/b\",\"m.relates_to\":{\"m.in_reply_to\":{\"event_id\":\"$0\"}}}",
                    id: "$7"),
            ]))
        #expect(kept.map(\.content.summary) == [["link https://e.example/a"], ["link https://e.example/b"]])
        #expect(kept[0].delivery.envelope.reply?.fields == ["room": "!r:x", "event": "$1"])
        #expect(kept[0].delivery.key != kept[1].delivery.key)
    }

    @Test("the older path counts, a ping is answered, questions and other paths are not found")
    func paths() async throws {
        let text = event("{\"msgtype\":\"m.text\",\"body\":\"https://e.example/\"}")
        _ = try await trial().keptEach(transaction([text], path: ["transactions", "7"]))
        #expect(MatrixProvider().serves(["mime"]) == false)
        var ping = transaction([], path: ["_matrix", "app", "v1", "ping"])
        ping.method = "POST"
        var users = transaction([], path: ["_matrix", "app", "v1", "users", "@a:x"])
        users.method = "GET"
        for (request, status) in [
            (ping, 200), (users, 404), (transaction([]), 200),
            (transaction([], path: ["_matrix", "app", "v1", "x"]), 404),
        ] {
            guard case .answer(let answer, _) = try await trial().receive(request) else {
                Issue.record("taken")
                continue
            }
            #expect(answer.status == status && answer.contentType == "application/json")
        }
    }

    @Test("the sender's own token counts where the hook knows it, in each of its three places")
    func tokens() async throws {
        let trial = try trial(secret: "hs")
        let text = transaction([event("{\"msgtype\":\"m.text\",\"body\":\"https://e.example/\"}")])
        var query = text
        query.query = [("access_token", "hs")]
        for request in [text.with("authorization", "Bearer hs"), text.with("x-matrix-hookshot-token", "hs"), query] {
            _ = try await trial.keptEach(request)
        }
        for request in [text, text.with("authorization", "Bearer no"), text.with("authorization", "hs")] {
            guard case .refuse = try await trial.receive(request) else {
                Issue.record("taken")
                continue
            }
        }
    }

    @Test("a caption is told from a file's name; what is encrypted or no picture is left out")
    func files() async throws {
        let kept = try await trial().keptEach(
            transaction([
                event(
                    "{\"msgtype\":\"m.image\",\"body\":\"the bay #sea\",\"filename\":\"IMG.jpg\",\"url\":\"mxc://x/Ab-1\"}"
                ),
                event("{\"msgtype\":\"m.image\",\"body\":\"IMG.jpg\",\"file\":{\"url\":\"mxc://x/enc\"}}", id: "$2"),
                event(
                    "{\"msgtype\":\"m.file\",\"body\":\"a.heic\",\"url\":\"mxc://x/h\",\"info\":{\"mimetype\":\"image/heic\"}}",
                    id: "$3"),
                event(
                    "{\"msgtype\":\"m.video\",\"body\":\"a.mp4\",\"url\":\"mxc://x/v\",\"info\":{\"mimetype\":\"video/mp4\"}}",
                    id: "$4"),
                event("{\"msgtype\":\"m.image\",\"body\":\"x\",\"url\":\"https://evil.example/\"}", id: "$5"),
            ]))
        #expect(
            kept.map(\.content.summary) == [["media mxc://x/Ab-1 IMG.jpg"], [], ["media mxc://x/h a.heic"], [], []])
        #expect(kept[0].content.wishes.description == "the bay" && kept[0].content.wishes.tags == ["sea"])
        #expect(kept[1].content.skipped.first?.reason.contains("encrypted") == true)
        #expect(kept[2].content.wishes.description == nil)
    }

    @Test("a file's address takes nothing that would change it")
    func addresses() {
        #expect(MatrixPost.mediaName("mxc://x.example:8448/Ab_c-1")?.id == "Ab_c-1")
        for url in [
            "mxc://x/", "mxc:///a", "mxc://x/a/b", "mxc://x/..", "mxc://x?/a", "https://x/a", "mxc://x@y/a",
            "mxc://x/a%2Fb",
        ] {
            #expect(MatrixPost.mediaName(url) == nil, "\(url)")
        }
    }

    @Test("hookshot may send an event without a file, as JSON or in parts, and calls its file blob")
    func outbound() async throws {
        let text = event("{\"msgtype\":\"m.text\",\"body\":\"https://e.example/a\"}")
        let json = try await trial().kept(SampleRequest(json: text))
        #expect(json.content.summary == ["link https://e.example/a"])
        let parts = MultipartForm().text("event", text)
        #expect(try await trial().kept(parts.request).content.summary == ["link https://e.example/a"])
        let encrypted = event("{\"msgtype\":\"m.image\",\"body\":\"a.png\",\"file\":{\"url\":\"mxc://x/e\"}}")
        let blob = MultipartForm().file("event", "event", Array(encrypted.utf8), type: "application/json").file(
            "blob", "a.png")
        let kept = try await trial().kept(blob.request)
        #expect(kept.content.summary == ["picture a.png image/png 73"] && kept.content.skipped.isEmpty)
        for request in [SampleRequest(json: "[]"), MultipartForm().text("x", "y").request, SampleRequest(json: "")] {
            guard case .answer(let answer, _) = try await trial().receive(request) else {
                Issue.record("taken")
                continue
            }
            #expect(answer.status == 400)
        }
    }
}
