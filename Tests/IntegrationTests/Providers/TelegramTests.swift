import FoundationEssentials
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing
import Web

@Suite(
    "Telegram, from update to pin and answer", .enabled(if: hasSamples, "no sample requests"), .timeLimit(.minutes(10)))
struct TelegramTests {
    private static let secret = [("X-Telegram-Bot-Api-Secret-Token", "s3cret-s3cret")]

    private func withBot(_ body: (ChatStage) async throws -> Void) async throws {
        try await ChatStage.open("telegram", allowed: ["700000001"]) { stage in
            stage.api.answer(
                "/bot123:bot-token/getFile", #"{"ok":true,"result":{"file_id":"x","file_path":"photos/file_1.png"}}"#)
            stage.api.answer("/file/bot123:bot-token/photos/file_1.png", TestPicture.png(seed: 7))
            stage.api.answer("/bot123:bot-token/sendMessage", #"{"ok":true}"#)
            stage.api.answer("/bot123:bot-token/answerCallbackQuery", #"{"ok":true}"#)
            stage.api.answer("/bot123:bot-token/editMessageText", #"{"ok":true}"#)
            try await body(stage)
        }
    }

    @Test("a photo's largest size is pinned with tags, board and words, and the chat is told")
    func photo() async throws {
        try await withBot { stage async throws in
            let log = LogLines()
            #expect(try await stage.send(Self.secret, sample("telegram/photo.json"), log: log).status == 200)
            try await stage.finish()
            let item = try #require(try await stage.items().first)
            #expect(item.state == .done && item.draft.tags == ["travel", "boats"])
            #expect(item.draft.description == "Harbour at dusk")
            let trips = try #require(stage.delivery.tenant.board)
            #expect(item.draft.destination == .board(trips.id))
            #expect(stage.api.calls("getFile").first?.body == #"{"file_id":"AgACAgIAAx-1y"}"#)
            let told = try #require(stage.api.calls("sendMessage").first?.body)
            #expect(told.contains("Pinned on Trips") && told.contains("/pins/") && told.contains("\"message_id\":11"))
            #expect(told.contains("\"callback_data\":\"undo:\(item.message)\""))
            #expect(!log.text.contains("bot-token") && !log.text.contains("s3cret"))
        }
    }

    @Test("a wrong or missing secret token is refused before the body, as an unknown hook is")
    func refused() async throws {
        try await withBot { stage async throws in
            let body = try sample("telegram/photo.json")
            for headers in [[], [("X-Telegram-Bot-Api-Secret-Token", "wrong")]] {
                let answer = try await stage.send(headers, body)
                #expect(answer.status == 401 && !String(decoding: answer.body, as: UTF8.self).contains("Telegram"))
            }
            #expect(try await stage.messages().isEmpty && stage.api.calls().isEmpty)
        }
    }

    @Test("an album is one message in its order, whatever order it arrives in, across a crash, and told once")
    func album() async throws {
        try await withBot { stage async throws in
            for name in ["album-2", "album-1"] {
                _ = try await stage.send(Self.secret, sample("telegram/\(name).json"))
            }
            try await stage.delivery.crash()
            for name in ["album-3", "album-2"] {
                _ = try await stage.send(Self.secret, sample("telegram/\(name).json"))
            }
            #expect(try await stage.messages().count == 1)
            try await stage.finish()
            let items = try await stage.items()
            #expect(items.map(\.state) == [.done, .done, .done])
            #expect(items.allSatisfy { $0.draft.description == "Three views" && $0.draft.tags == ["set"] })
            let files = stage.api.calls("getFile").map(\.body)
            #expect(files == [11, 12, 13].map { #"{"file_id":"AgACAgIAAx-\#($0)y"}"# })
            #expect(stage.delivery.pinry.requests(like: "PATCH") == 1)
            #expect(stage.api.calls("sendMessage").count == 1)
        }
    }

    @Test("a HEIC sent as a file is fetched as it is; one that is too large is left out with the reason")
    func document() async throws {
        try await withBot { stage async throws in
            let body = try sample("telegram/document-heic.json")
            _ = try await stage.send(Self.secret, body)
            let large = body.replacing("2400000", with: "20971521").replacing("5002", with: "5003")
                .replacing("\"message_id\": 12", with: "\"message_id\": 13")
            _ = try await stage.send(Self.secret, large)
            try await stage.finish()
            #expect(stage.api.calls("getFile").map(\.body) == [#"{"file_id":"BQACAgIAAx-doc1"}"#])
            #expect(try await stage.items().map(\.kind.name) == ["IMG_0001.HEIC"])
            #expect(
                stage.api.calls("sendMessage").contains { $0.body.contains("Left out IMG_0001.HEIC: over the 20 MB") })
        }
    }

    @Test("entities count in UTF-16 units; hidden links count as well, and none stays in the words")
    func links() async throws {
        try await withBot { stage async throws in
            _ = try await stage.send(Self.secret, sample("telegram/text-url-utf16.json"))
            try await stage.split()
            let items = try await stage.items()
            #expect(items.map(\.kind.link) == ["https://www.example.org/a?id=7", "https://example.net/gallery#p2"])
            #expect(items.allSatisfy { $0.draft.description == "😀😀 see and this one" })
        }
    }

    @Test("an edited message, a stranger and a service message make nothing and fetch nothing")
    func ignored() async throws {
        try await withBot { stage async throws in
            for name in ["edited-caption", "group-privacy-stranger"] {
                #expect(try await stage.send(Self.secret, sample("telegram/\(name).json")).status == 200)
            }
            #expect(try await stage.messages().isEmpty && stage.api.calls().isEmpty)
        }
    }

    @Test("a forward from a public channel has its post as source")
    func forward() async throws {
        try await withBot { stage async throws in
            _ = try await stage.send(Self.secret, sample("telegram/forward-channel.json"))
            try await stage.finish()
            #expect(try await stage.items().map(\.draft.source) == ["https://t.me/examplechan/77"])
        }
    }

    @Test("an update that is sent again is answered and changes nothing, also after it is done")
    func repeats() async throws {
        try await withBot { stage async throws in
            let body = try sample("telegram/photo.json")
            for _ in 0..<2 { #expect(try await stage.send(Self.secret, body).status == 200) }
            try await stage.finish()
            #expect(try await stage.send(Self.secret, body).status == 200)
            try await stage.finish()
            #expect(try await stage.messages().count == 1)
            #expect(stage.api.calls("sendMessage").count == 1 && stage.delivery.pinry.pins.count == 1)
        }
    }

    /// Presses Undo under the answer to the only message; what the person is told.
    private func undo(_ stage: ChatStage, _ number: Int) async throws -> String {
        let message = try #require(try await stage.messages().last).id
        let update =
            #"{"update_id":\#(number),"callback_query":{"id":"q\#(number)","from":{"id":700000001},"#
            + #""message":{"message_id":50,"chat":{"id":700000001,"type":"private"}},"data":"undo:\#(message)"}}"#
        let calls = stage.delivery.pinry.requests(like: "")
        #expect(try await stage.send(Self.secret, update).status == 200)
        // The chat is answered before anybody asks the Pinry, which may be slow.
        #expect(stage.delivery.pinry.requests(like: "") == calls)
        try await stage.finish()
        return try #require(stage.api.calls("answerCallbackQuery").last).body
    }

    @Test("Undo removes the pin, says so, and does it once")
    func undo() async throws {
        try await withBot { stage async throws in
            _ = try await stage.send(Self.secret, sample("telegram/photo.json"))
            try await stage.finish()
            #expect(try await undo(stage, 1).contains("The pin is removed."))
            #expect(stage.delivery.pinry.pins.isEmpty)
            #expect(stage.api.calls("editMessageText").count == 1)
            #expect(try await undo(stage, 2).contains("nothing left"))
            #expect(try await stage.items().map(\.state) == [.cancelled])
            #expect(stage.delivery.pinry.requests(like: "DELETE") == 1)
        }
    }

    @Test("Undo leaves a pin whose picture another pin shows, and comes too late after a day")
    func undoRefused() async throws {
        try await withBot { stage async throws in
            _ = try await stage.send(Self.secret, sample("telegram/photo.json"))
            try await stage.finish()
            let image = try #require(stage.delivery.pinry.pins.first).image
            stage.delivery.pinry.addUser("bob", token: "bob-token")
            stage.delivery.pinry.addPin(of: "bob", on: image)
            #expect(try await undo(stage, 1).contains("another pin shows the same picture"))
            stage.delivery.clock.move(by: 90_000)
            #expect(try await undo(stage, 2).contains("too late"))
            #expect(stage.delivery.pinry.pins.count == 2 && stage.delivery.pinry.requests(like: "DELETE") == 0)
        }
    }

    @Test("a full disk is told in a way that makes Telegram send it again, and then it is taken")
    func fullDisk() async throws {
        try await withBot { stage in
            let body = try sample("telegram/photo.json")
            let answer = try await stage.send(Self.secret, body, sink: FullSink())
            #expect(answer.status == 503 && answer.field("Retry-After") != nil)
            #expect(try await stage.send(Self.secret, body).status == 200)
            #expect(try await stage.messages().count == 1)
        }
    }

    @Test("a process that dies between the pin and the answer pins nothing twice and still answers")
    func deathBeforeAnswer() async throws {
        try await withBot { stage in
            _ = try await stage.send(Self.secret, sample("telegram/photo.json"))
            try await stage.split()
            try await stage.work()
            let now = stage.delivery.clock.now
            #expect(try await stage.store.takeReplies(upTo: 10, now: now, until: now + 60).count == 1)
            try await stage.delivery.crash()
            stage.delivery.clock.move(by: 61)
            try await stage.finish()
            #expect(stage.delivery.pinry.pins.count == 1 && stage.api.calls("sendMessage").count == 1)
        }
    }

    @Test("a press of Undo for another hook's message, or by a stranger, does nothing")
    func foreignUndo() async throws {
        try await withBot { stage in
            let other = try await stage.delivery.enqueue()[0]
            try await stage.work()
            let message = try #require(try await stage.store.item(other)).message
            for sender in ["700000001", "999"] {
                let update =
                    #"{"update_id":9,"callback_query":{"id":"q","from":{"id":\#(sender)},"message":{"message_id":5,"#
                    + #""chat":{"id":\#(sender)}},"data":"undo:\#(message)"}}"#
                #expect(try await stage.send(Self.secret, update).status == 200)
            }
            try await stage.finish()
            #expect(stage.delivery.pinry.pins.count == 1 && stage.api.calls("answerCallbackQuery").count == 1)
        }
    }

    @Test("what is malformed gets 4xx, what is merely unknown is taken and ignored")
    func malformed() async throws {
        try await withBot { stage async throws in
            for (body, status) in [
                ("{", 400), ("[]", 400), ("null", 400), (#"{"update_id":1,"update_id":2}"#, 400), ("{}", 400),
                (#"{"update_id":1,"message":[]}"#, 200), (#"{"update_id":1,"message":{"chat":7}}"#, 200),
                (#"{"update_id":1,"poll":{}}"#, 200), (#"{"update_id":1e999}"#, 400),
            ] {
                #expect(try await stage.send(Self.secret, body).status == status, "\(body)")
            }
            #expect(try await stage.messages().isEmpty)
        }
    }
}

/// A store whose disk is full.
struct FullSink: MessageSink {
    func accept(_ message: ReceivedMessage) async throws(StoreError) -> Acceptance { throw StoreError(.diskFull) }
}

extension Item.Kind {
    var name: String? {
        switch self {
        case .media(let media): media.name
        case .image(_, let name): name
        case .link: nil
        }
    }

    var link: String? {
        if case .link(let link) = self { link.url } else { nil }
    }
}
