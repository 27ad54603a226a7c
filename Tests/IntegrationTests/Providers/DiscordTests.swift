import FoundationEssentials
import Hooks
import PinpostCore
import PinpostTesting
import Testing
import Web

@Suite(
    "Discord, from interaction to pin and answer", .enabled(if: hasSamples, "no sample requests"),
    .timeLimit(.minutes(10)))
struct DiscordTests {
    private func withApplication(_ body: (ChatStage) async throws -> Void) async throws {
        try await ChatStage.open("discord", secret: Ed25519Signer.publicKey, token: "Mg.x.bot-token") { stage in
            stage.api.answer("/attachments/", TestPicture.png(seed: 7))
            stage.api.answer("/webhooks/2/interaction-token/messages/@original", "{}")
            stage.api.answer("/applications/2/commands", "[]")
            try await body(stage)
        }
    }

    private func post(_ stage: ChatStage, _ body: String, log: LogLines = LogLines()) async throws -> HTTPAnswer {
        let time = String(Int(stage.delivery.clock.now.timeIntervalSince1970))
        let signature = Ed25519Signer.sign(Array((time + body).utf8))
        return try await stage.send(
            [("X-Signature-Ed25519", signature), ("X-Signature-Timestamp", time)], body, log: log)
    }

    private func text(_ answer: HTTPAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test("a ping is answered, an event's ping with 204, a wrong signature with 401")
    func pings() async throws {
        try await withApplication { stage in
            let ping = try sample("discord/ping.json")
            #expect(text(try await post(stage, ping)) == "{\"type\":1}")
            let event = try await post(stage, sample("discord/webhook-event-ping.json"))
            #expect(event.status == 204 && event.body.isEmpty)
            let wrong = [("X-Signature-Ed25519", String(repeating: "0", count: 128)), ("X-Signature-Timestamp", "1")]
            #expect(try await stage.send(wrong, ping).status == 401)
            #expect(try await stage.send([], ping).status == 401)
        }
    }

    @Test("the slash command is deferred, pinned by its options, and followed up with the pin's link and Undo")
    func slash() async throws {
        try await withApplication { stage in
            let log = LogLines()
            let body = try sample("discord/slash-attachment.json")
            #expect(text(try await post(stage, body, log: log)) == "{\"type\":5,\"data\":{\"flags\":64}}")
            try await stage.finish()
            let item = try #require(try await stage.items().first)
            #expect(item.state == .done && item.draft.tags == ["cats", "walls"])
            #expect(item.draft.description == "a cat on a wall" && item.draft.source == nil)
            #expect(item.draft.destination == stage.delivery.tenant.board.map { .board($0.id) })
            let told = try #require(stage.api.calls("PATCH /webhooks/2/interaction-token").first).body
            #expect(told.contains("Pinned on Trips") && told.contains("\"custom_id\":\"undo:\(item.message)\""))
            #expect(!log.text.contains("interaction-token") && !log.text.contains("hm="))
        }
    }

    @Test("Save to Pinry takes the message's picture, its link as source, and leaves the film out with the reason")
    func save() async throws {
        try await withApplication { stage in
            _ = try await post(stage, sample("discord/message-command.json"))
            try await stage.finish()
            let items = try await stage.items()
            #expect(items.map(\.kind.name) == ["cat.png"] && items.map(\.draft.description) == ["look"])
            #expect(items.first?.draft.source?.hasPrefix("https://example.org/story") == true)
            #expect(try await stage.messages().first?.skipped.map(\.reason) == ["films are not pinned"])
        }
    }

    @Test("an interaction counts once, by its id")
    func repeats() async throws {
        try await withApplication { stage in
            let body = try sample("discord/slash-attachment.json")
            for _ in 0..<2 { #expect(try await post(stage, body).status == 200) }
            #expect(try await stage.messages().count == 1)
        }
    }

    @Test("Undo replaces the answer; an empty command is answered at once")
    func undo() async throws {
        try await withApplication { stage in
            _ = try await post(stage, sample("discord/slash-attachment.json"))
            try await stage.finish()
            let message = try #require(try await stage.messages().first).id
            let press =
                #"{"type":3,"id":"77","token":"t","application_id":"2","member":{"user":{"id":"5"}},"#
                + #""data":{"custom_id":"undo:\#(message)","component_type":2}}"#
            #expect(text(try await post(stage, press)) == #"{"type":6}"#)
            try await stage.finish()
            let told = try #require(stage.api.calls("PATCH /webhooks/2/t/messages/@original").last).body
            #expect(told.contains("The pin is removed.") && told.contains(#""components":[]"#))
            #expect(stage.delivery.pinry.pins.isEmpty)
            let empty = #"{"type":2,"id":"78","token":"t","application_id":"2","data":{"name":"pin","type":1}}"#
            #expect(text(try await post(stage, empty)).contains("\"type\":4"))
            #expect(try await stage.messages().count == 2)
        }
    }

    @Test("registration offers both commands under the application that the token names")
    func registration() async throws {
        try await withApplication { stage in
            #expect(try await stage.desk.register(stage.hook, at: "https://in.example/v1/hooks/hook1") == 1)
            let call = try #require(stage.api.calls("PUT /applications/2/commands").first)
            #expect(call.header("authorization") == "Bot Mg.x.bot-token" && call.body.contains("Save to Pinry"))
        }
    }
}
