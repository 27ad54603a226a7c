import Cryptography
import FoundationEssentials
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing
import Web

@Suite(
    "Slack, from request to pin and answer", .enabled(if: hasSamples, "no sample requests"), .timeLimit(.minutes(10)))
struct SlackTests {
    private func withApp(_ body: (ChatStage) async throws -> Void) async throws {
        try await ChatStage.open("slack", token: "xoxb-token") { stage in
            stage.api.answer("/files-pri/", TestPicture.png(seed: 7))
            stage.api.answer("/chat.postMessage", #"{"ok":true}"#)
            stage.api.answer("/commands/", "ok")
            stage.api.answer("/app/", "ok")
            try await body(stage)
        }
    }

    private func signed(_ stage: ChatStage, _ body: String, secret: String = "s3cret-s3cret") -> [(String, String)] {
        let time = String(Int(stage.delivery.clock.now.timeIntervalSince1970))
        let key = Secret(copying: Array(secret.utf8))
        let code = HMAC.code(of: Array("v0:\(time):\(body)".utf8), key: key)
        let hex = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return [("X-Slack-Request-Timestamp", time), ("X-Slack-Signature", "v0=\(hex)")]
    }

    private static let form = "application/x-www-form-urlencoded"

    private func post(
        _ stage: ChatStage, _ body: String, contentType: String = "application/json", more: [(String, String)] = []
    ) async throws -> HTTPAnswer {
        try await stage.send(signed(stage, body) + more, body, contentType: contentType)
    }

    @Test("two files and a link become two pins whose source is the link, fetched with the bot's token, and told")
    func files() async throws {
        try await withApp { stage in
            let log = LogLines()
            let body = try sample("slack/message-file-share.json")
            #expect(try await stage.send(signed(stage, body), body, log: log).status == 200)
            try await stage.finish()
            let items = try await stage.items()
            #expect(items.map(\.state) == [.done, .done])
            #expect(
                items.allSatisfy { $0.draft.description == "two shots the page & more" && $0.draft.tags == ["food"] })
            #expect(items.allSatisfy { $0.draft.source == "https://example.org/x" })
            let fetches = stage.api.calls("/files-pri/")
            #expect(fetches.count == 2 && fetches.allSatisfy { $0.header("authorization") == "Bearer xoxb-token" })
            let told = try #require(stage.api.calls("/chat.postMessage").first)
            #expect(told.body.contains("\"thread_ts\":\"1790000000.000100\"") && told.body.contains("Pinned on Trips"))
            #expect(!log.text.contains("xoxb-token"))
        }
    }

    @Test("a repeat, the same message as another event, and the event of its file change nothing")
    func repeats() async throws {
        try await withApp { stage in
            let body = try sample("slack/message-file-share.json")
            _ = try await post(stage, body)
            let retry = [("X-Slack-Retry-Num", "1"), ("X-Slack-Retry-Reason", "http_timeout")]
            #expect(try await post(stage, body, more: retry).status == 200)
            #expect(try await post(stage, body.replacing("Ev0001", with: "Ev0009")).status == 200)
            #expect(try await post(stage, sample("slack/file-shared.json")).status == 200)
            try await stage.finish()
            #expect(try await stage.messages().count == 1 && stage.delivery.pinry.pins.count == 2)
        }
    }

    @Test("a file's own event before its message gives way to it, and alone it is asked for by its id")
    func fileEvents() async throws {
        try await withApp { stage in
            _ = try await post(stage, sample("slack/file-shared.json"))
            _ = try await post(stage, sample("slack/message-file-share.json"))
            stage.api.answer(
                "/files.info?file=F999",
                #"{"ok":true,"file":{"id":"F999","url_private_download":"https://files.slack.com/files-pri/T1-F999/x.png"}}"#
            )
            let alone = try sample("slack/file-shared.json").replacing("F111", with: "F999")
                .replacing("Ev0002", with: "Ev0012")
            _ = try await post(stage, alone)
            try await stage.finish()
            #expect(try await stage.items().count == 3 && stage.delivery.pinry.pins.count == 3)
            #expect(stage.api.calls("/files-pri/T1-F999/x.png").first?.header("authorization") == "Bearer xoxb-token")
        }
    }

    @Test("a file that was announced long before its message is pinned once, and the message says so")
    func lateMessage() async throws {
        try await withApp { stage in
            let files = "https://files.slack.com/files-pri"
            stage.api.answer(
                "/files.info", #"{"ok":true,"file":{"id":"F111","url_private_download":"\#(files)/T1-F111/x.png"}}"#)
            _ = try await post(stage, sample("slack/file-shared.json"))
            try await stage.finish()
            #expect(stage.delivery.pinry.pins.count == 1)
            _ = try await post(stage, sample("slack/message-file-share.json"))
            try await stage.finish()
            // The other file of the message, and its link is no pin of its own.
            #expect(stage.delivery.pinry.pins.count == 2)
            let items = try await stage.items()
            #expect(items.count == 2 && items[1].draft.source == "https://example.org/x")
            #expect(stage.api.calls("chat.postMessage").last?.body.contains("came before its message") == true)
            // The same file in another channel, and once more in this one, is another wish.
            let again = try sample("slack/message-file-share.json").replacing("Ev0001", with: "Ev0021")
            for (place, with) in [("C111", "C222"), ("1790000000.000100", "1790000009.000100")] {
                _ = try await post(stage, again.replacing(place, with: with).replacing("Ev0021", with: "Ev\(with)"))
            }
            try await stage.finish()
            #expect(try await stage.items().count == 6)
        }
    }

    @Test("Undo in a thread takes back what stands in it, in a channel nothing of another")
    func undo() async throws {
        try await withApp { stage in
            let shared = try sample("slack/message-file-share.json")
            for (number, channel) in ["C1", "C1", "C2"].enumerated() {
                _ = try await post(
                    stage,
                    shared.replacing("C111", with: channel).replacing("Ev0001", with: "Ev\(number)")
                        .replacing("1790000000.000100", with: "179000000\(number).000100"))
                try await stage.finish()
            }
            #expect(try await stage.items().filter { $0.state == .done }.count == 6)
            func undo(_ channel: String, _ number: Int, thread: String? = nil) async throws {
                let place = thread.map { #","thread_ts":"\#($0)""# } ?? ""
                let order =
                    #"{"type":"event_callback","event_id":"U\#(number)","event":{"type":"app_mention","user":"U111","#
                    + #""channel":"\#(channel)","ts":"18.\#(number)","text":"<@UBOT> undo"\#(place)}}"#
                #expect(try await post(stage, order).status == 200)
            }
            try await undo("C1", 1, thread: "1790000000.000100")
            try await stage.finish()
            let messages = try await stage.messages().filter { $0.envelope.undo == nil }.reversed()
            func pinned(_ number: Int) async throws -> Bool {
                try await stage.store.items(of: Array(messages)[number].id).allSatisfy { $0.state == .done }
            }
            #expect(try await (pinned(0), pinned(1), pinned(2)) == (false, true, true))
            // Two words at once, and more than there is to take back.
            try await undo("C1", 2)
            try await undo("C1", 3)
            try await stage.finish()
            #expect(try await (pinned(0), pinned(1), pinned(2)) == (false, false, true))
            #expect(stage.api.calls("chat.postMessage").last?.body.contains("nothing to undo") == true)
            try await undo("C2", 4)
            try await stage.finish()
            #expect(try await pinned(2) == false && stage.delivery.pinry.pins.isEmpty)
        }
    }

    @Test("a message whose first event was lost is taken when it is sent again")
    func lateRetry() async throws {
        try await withApp { stage in
            let body = try sample("slack/message-file-share.json")
            _ = try await post(stage, body, more: [("X-Slack-Retry-Num", "3")])
            #expect(try await stage.messages().count == 1)
        }
    }

    @Test("url_verification is echoed, also for the certificate probe without a signature; a bot's words are ignored")
    func probes() async throws {
        try await withApp { stage in
            let challenge = try await post(stage, sample("slack/url-verification.json"))
            #expect(
                String(decoding: challenge.body, as: UTF8.self)
                    == "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P")
            let probe = try await stage.send([], "ssl_check=1&token=legacy", contentType: Self.form)
            #expect(probe.status == 200 && probe.body.isEmpty)
            #expect(try await post(stage, sample("slack/bot-message-loop.json")).status == 200)
            #expect(try await stage.messages().isEmpty)
        }
    }

    @Test("an unsigned, a wrongly signed and an old request are refused alike")
    func refused() async throws {
        try await withApp { stage async throws in
            let body = try sample("slack/message-file-share.json")
            #expect(try await stage.send([], body).status == 401)
            #expect(try await stage.send(signed(stage, body, secret: "another"), body).status == 401)
            let old = signed(stage, body)
            stage.delivery.clock.move(by: 301)
            #expect(try await stage.send(old, body).status == 401)
            #expect(try await stage.messages().isEmpty)
        }
    }

    @Test("the slash command is answered at once, and told at its response address, which is nowhere in the clear")
    func command() async throws {
        try await withApp { stage in
            let body = try #require(try sample("slack/slash-command.http").split(separator: "\r\n\r\n").last)
            let answer = try await post(stage, String(body), contentType: Self.form)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("\"response_type\":\"ephemeral\""))
            try await stage.split()
            let item = try #require(try await stage.items().first)
            #expect(item.kind.link == "https://example.org/photo.jpg" && item.draft.tags == ["boats"])
            let message = try #require(try await stage.messages().first)
            let reply = try #require(message.envelope.reply)
            #expect(reply.key?.purpose == .replyKey && reply.fields.isEmpty)
            try await stage.store.cancel(item.id, now: stage.delivery.clock.now)
            try await stage.tell()
            #expect(stage.api.calls("POST /commands/T111/1/x").count == 1)
        }
    }

    @Test("the message shortcut pins the file with the message's link as source, and tells the person alone")
    func shortcut() async throws {
        try await withApp { stage in
            let payload = try sample("slack/message-shortcut.json")
            let body = "payload=" + percentEncoded(payload)
            #expect(try await post(stage, body, contentType: Self.form).status == 200)
            try await stage.finish()
            #expect(try await stage.items().map(\.draft.source) == ["https://example.org/p"])
            let told = try #require(stage.api.calls("POST /app/T111/1/x").first).body
            #expect(told.contains("\"action_id\":\"undo\""))
            let message = try #require(try await stage.messages().first).id
            let press =
                #"{"type":"block_actions","user":{"id":"U111"},"channel":{"id":"C111"},"#
                + #""response_url":"https://hooks.slack.com/app/T111/2/y","#
                + #""actions":[{"action_id":"undo","value":"\#(message)"}]}"#
            #expect(try await post(stage, "payload=" + percentEncoded(press), contentType: Self.form).status == 200)
            try await stage.finish()
            #expect(stage.delivery.pinry.pins.isEmpty)
            #expect(stage.api.calls("POST /app/T111/2/y").first?.body.contains("The pin is removed.") == true)
        }
    }

    @Test("a permanent failure says that it need not be sent again; talk without a picture is left alone")
    func final() async throws {
        try await withApp { stage in
            let broken = try await post(stage, "{")
            #expect(broken.status == 400 && broken.field("X-Slack-No-Retry") == "1")
            let talk =
                #"{"type":"event_callback","event_id":"E1","event":{"type":"message","channel":"C1","ts":"1.1","text":"hi","user":"U1"}}"#
            #expect(try await post(stage, talk).status == 200)
            #expect(try await stage.messages().isEmpty)
        }
    }

    @Test("a file that claims another host gets no token")
    func foreignHost() async throws {
        try await withApp { stage in
            let body = try sample("slack/message-file-share.json")
                .replacing("https://files.slack.com/", with: "https://evil.example/")
            _ = try await post(stage, body)
            try await stage.finish()
            #expect(try await stage.items().map(\.state) == [.parked, .parked])
            #expect(stage.api.calls("/files-pri/").isEmpty)
        }
    }
}

/// Everything but letters and digits as `%XX`.
func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
        let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}
