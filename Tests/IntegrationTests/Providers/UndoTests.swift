import FoundationEssentials
import Hooks
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing
import Web

@Suite("Undo by a word", .timeLimit(.minutes(10)))
struct UndoTests {
    private static let secret = [("X-Telegram-Bot-Api-Secret-Token", "s3cret-s3cret")]

    private func withBot(_ body: (ChatStage) async throws -> Void) async throws {
        try await ChatStage.open("telegram", allowed: ["1", "2"]) { stage in
            for number in 1...9 {
                stage.api.answer(
                    "/file/bot123:bot-token/photos/\(number).png", TestPicture.png(seed: number))
            }
            stage.api.answer("/bot123:bot-token/sendMessage", #"{"ok":true}"#)
            try await body(stage)
        }
    }

    /// A picture, with the words under it.
    private func photo(
        _ stage: ChatStage, _ number: Int, of person: Int = 1, words: String = "", album: String? = nil
    ) async throws {
        stage.api.answer(
            "/bot123:bot-token/getFile",
            #"{"ok":true,"result":{"file_id":"x","file_path":"photos/\#(number).png"}}"#)
        let group = album.map { #","media_group_id":"\#($0)""# } ?? ""
        try await send(
            stage, number, of: person,
            #""photo":[{"file_id":"F\#(number)","width":9,"height":9}],"caption":"\#(words)"\#(group)"#)
    }

    private func word(_ stage: ChatStage, _ number: Int, of person: Int = 1, _ text: String = "undo") async throws {
        try await send(stage, number, of: person, #""text":"\#(text)""#)
    }

    private func send(_ stage: ChatStage, _ number: Int, of person: Int, _ members: String) async throws {
        let update =
            #"{"update_id":\#(number),"message":{"message_id":\#(number),"from":{"id":\#(person)},"#
            + #""chat":{"id":\#(person),"type":"private"},\#(members)}}"#
        #expect(try await stage.send(Self.secret, update).status == 200)
    }

    @Test("takes back the newest, then the one before, each once, and nobody else's")
    func newest() async throws {
        try await withBot { stage in
            for (number, person) in [(1, 1), (2, 1), (3, 2)] {
                try await photo(stage, number, of: person)
                try await stage.finish()
            }
            let images = stage.delivery.pinry.pins.map(\.image)
            try await word(stage, 4)
            #expect(stage.delivery.pinry.requests(like: "DELETE") == 0)
            // Telegram sends it again: that means the same, not the one before.
            try await word(stage, 4)
            try await stage.finish()
            try await word(stage, 4)
            try await stage.finish()
            #expect(Set(stage.delivery.pinry.pins.map(\.image)) == Set([images[0], images[2]]))
            try await word(stage, 5, "Undo!")
            try await stage.finish()
            #expect(stage.delivery.pinry.pins.map(\.image) == [images[2]])
            try await word(stage, 6)
            try await stage.finish()
            #expect(stage.delivery.pinry.pins.map(\.image) == [images[2]])
            let told = stage.api.calls("sendMessage").suffix(3).map(\.body)
            #expect(told[0].contains("The pin is removed.") && told[1].contains("The pin is removed."))
            #expect(told[2].contains("nothing to undo"))
        }
    }

    @Test("two words at once take back two messages, the newest first; with what is left the third finds nothing")
    func twoAtOnce() async throws {
        try await withBot { stage in
            for number in 1...3 {
                try await photo(stage, number)
                try await stage.finish()
            }
            let images = stage.delivery.pinry.pins.map(\.image)
            try await word(stage, 4)
            try await word(stage, 5)
            try await word(stage, 5)
            try await stage.finish()
            #expect(stage.delivery.pinry.pins.map(\.image) == [images[0]])
            try await word(stage, 6)
            try await word(stage, 7)
            try await stage.finish()
            #expect(stage.delivery.pinry.pins.isEmpty)
            #expect(stage.api.calls("sendMessage").last?.body.contains("nothing to undo") == true)
        }
    }

    @Test("a wrong key of an Undo link counts like a wrong token")
    func wrongKeys() async throws {
        try await ChatStage.open("generic") { stage in
            var limits = RequestLimits()
            limits.refusedPerAddress = Rate(perSecond: 0.1, burst: 2)
            let service = try stage.service(limits: limits)
            var statuses: [Int] = []
            for key in ["x", "y", "z"] {
                let head = RequestHead(
                    method: "POST", target: try #require(RequestTarget("/v1/messages/none/undo/\(key)")),
                    peer: "198.51.100.7")
                if case .answer(let answer) = await service.open(head) { statuses.append(answer.status) }
            }
            #expect(statuses == [404, 404, 429])
        }
    }

    @Test("what is still being read or pinned is waited for, then taken back")
    func early() async throws {
        try await withBot { stage in
            // A part of an album waits for the next.
            try await photo(stage, 1, album: "A")
            try await word(stage, 2)
            stage.delivery.clock.move(by: 0.5)
            try await stage.split()
            try await stage.tell()
            #expect(stage.api.calls("sendMessage").isEmpty)
            try await stage.finish()
            #expect(stage.delivery.pinry.pins.isEmpty)
            #expect(
                stage.api.calls("sendMessage").contains { $0.body.contains("removed") || $0.body.contains("stopped") })
        }
    }

    @Test("what was removed before a process died is told by the next one, and a second wish finds nothing")
    func died() async throws {
        try await withBot { stage in
            try await photo(stage, 1)
            try await stage.finish()
            try await word(stage, 2)
            stage.delivery.clock.move(by: 1)
            try await stage.split()
            let now = stage.delivery.clock.now
            let reply = try #require(try await stage.store.takeReplies(upTo: 9, now: now, until: now).first)
            let outcome = try await stage.replies.carryOut(try #require(reply.order), of: reply)
            #expect(stage.delivery.pinry.pins.isEmpty && outcome.isDone)
            // Nobody noted it.
            try await stage.tell()
            #expect(stage.api.calls("sendMessage").last?.body.contains("The pin is removed.") == true)
        }
    }

    @Test("a Pinry that does not answer is left alone in time, and asked again later")
    func hangingPinry() async throws {
        try await withBot { stage in
            try await photo(stage, 1)
            try await stage.finish()
            let message = try #require(try await stage.messages().first)
            stage.delivery.pinry.misbehave([PinryFault(.hang, on: "DELETE /api/v2/pins/")])
            let now = stage.delivery.clock.now
            let undo = try stage.undo
            let early = await undo.undo(message.id, by: stage.hook, askedAt: now, within: .milliseconds(50))
            #expect(early.isPinryAway && early.isWorthRepeating && !early.outcome.isDone)
            stage.delivery.pinry.misbehave([])
            let late = await undo.undo(message.id, by: stage.hook, askedAt: now, isRepeat: true)
            #expect(late.outcome == UndoOutcome("The pin is removed.", isDone: true))
            #expect(stage.delivery.pinry.pins.isEmpty)
        }
    }

    @Test("comes too late after a day, and leaves a picture that another pin shows")
    func refused() async throws {
        try await withBot { stage in
            try await photo(stage, 1)
            try await stage.finish()
            let image = try #require(stage.delivery.pinry.pins.first).image
            stage.delivery.pinry.addUser("bob", token: "bob-token")
            stage.delivery.pinry.addPin(of: "bob", on: image)
            try await word(stage, 2)
            try await stage.finish()
            #expect(stage.delivery.pinry.pins.count == 2)
            #expect(stage.api.calls("sendMessage").last?.body.contains("another pin shows") == true)
            stage.delivery.clock.move(by: 90_000)
            try await word(stage, 3)
            try await stage.finish()
            #expect(stage.api.calls("sendMessage").last?.body.contains("nothing to undo") == true)
            #expect(stage.delivery.pinry.pins.count == 2 && stage.delivery.pinry.requests(like: "DELETE") == 0)
        }
    }

    @Test("a part of an album that comes late says what the others say, on the same board")
    func lateAlbumPart() async throws {
        try await withBot { stage in
            try await photo(stage, 1, words: "Three views #set\\nboard: Trips", album: "A")
            try await stage.finish()
            try await photo(stage, 2, album: "A")
            try await stage.finish()
            let drafts = try await stage.items().map(\.draft)
            #expect(drafts.count == 2 && drafts[0] == drafts[1])
            #expect(drafts[1].description == "Three views" && drafts[1].tags == ["set"])
            // Its own words go before.
            try await photo(stage, 3, words: "another", album: "A")
            try await stage.finish()
            let last = try #require(try await stage.items().last).draft
            #expect(last.description == "another" && last.tags == ["set"] && last.destination == drafts[0].destination)
        }
    }

    @Test("the link in a message's status asks a person first, then takes the pin back")
    func link() async throws {
        try await ChatStage.open("generic") { stage in
            let token = [("Authorization", "Bearer \(stage.hookToken)"), ("Content-Type", "image/png")]
            _ = try await stage.send(token, bytes: TestPicture.png(seed: 1))
            try await stage.finish()
            let message = try #require(try await stage.messages().first).id
            let status = try await stage.send(token, bytes: [], method: "GET", path: "/v1/messages/\(message)")
            let text = String(decoding: status.body, as: UTF8.self)
            let start = try #require(text.firstRange(of: "https://in.example/v1/messages/\(message)/undo/"))
            let path = "/v1/messages/\(message)/undo/" + text[start.upperBound...].prefix { $0 != "\"" }
            let page = try await stage.send([], bytes: [], method: "GET", path: path)
            #expect(page.status == 200 && String(decoding: page.body, as: UTF8.self).contains("<form method=\"post\">"))
            for (method, wrong, expected) in [
                ("HEAD", path, 200), ("PUT", path, 405), ("POST", String(path.dropLast()) + "g", 404),
                ("POST", "/v1/messages/nobody/undo/x", 404),
            ] {
                #expect(try await stage.send([], bytes: [], method: method, path: wrong).status == expected, "\(wrong)")
            }
            // Who may not send may not take back, and is not told how.
            guard case .hook(let id) = try await stage.messages().first?.route,
                var hook = try await stage.store.hook(id)
            else { return }
            for limits in [TokenLimits(scopes: [.status]), TokenLimits(expiresAt: .distantPast)] {
                hook.tokens[0].limits = limits
                try await stage.store.update(hook)
                #expect(try await stage.send([], bytes: [], method: "POST", path: path).status == 404)
                let status = try await stage.send(token, bytes: [], method: "GET", path: "/v1/messages/\(message)")
                #expect(!String(decoding: status.body, as: UTF8.self).contains("undo_url"))
            }
            hook.tokens[0].limits = TokenLimits()
            try await stage.store.update(hook)
            #expect(stage.delivery.pinry.pins.count == 1)
            let done = try await stage.send([], bytes: [], method: "DELETE", path: path)
            #expect(String(decoding: done.body, as: UTF8.self).contains("The pin is removed."))
            #expect(stage.delivery.pinry.pins.isEmpty)
            let again = try await stage.send([], bytes: [], method: "POST", path: path)
            #expect(again.status == 200)
            #expect(String(decoding: again.body, as: UTF8.self) == "{\"detail\":\"There is nothing left to undo.\"}\n")
            let seen = try await stage.send([("Accept", "text/html,*/*")], bytes: [], method: "POST", path: path)
            #expect(String(decoding: seen.body, as: UTF8.self).contains("<p>There is nothing left to undo."))
            stage.delivery.clock.move(by: 86_401)
            let late = try await stage.send([], bytes: [], method: "POST", path: path)
            #expect(late.status == 410 && String(decoding: late.body, as: UTF8.self).contains("too late"))
        }
    }
}
