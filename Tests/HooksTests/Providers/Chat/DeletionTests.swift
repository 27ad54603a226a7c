import PinpostCore
import Testing

@testable import Hooks

@Suite("A message that its author deletes in the chat")
struct DeletionTests {
    private struct Case {
        let provider: String
        /// With something to pin.
        let message: String
        let deletion: String
    }

    private static let cases = [
        Case(
            provider: "matrix",
            message:
                #"{"event_id":"$e","room_id":"!r","sender":"@u:h","type":"m.room.message","content":{"msgtype":"m.text","body":"https://e.example/"}}"#,
            deletion:
                #"{"event_id":"$x","room_id":"!r","sender":"@u:h","type":"m.room.redaction","redacts":"$e","content":{}}"#
        ),
        // Since version 11 of rooms.
        Case(
            provider: "matrix",
            message:
                #"{"event_id":"$e","room_id":"!r","sender":"@u:h","type":"m.room.message","content":{"msgtype":"m.text","body":"https://e.example/"}}"#,
            deletion:
                #"{"event_id":"$x","room_id":"!r","sender":"@u:h","type":"m.room.redaction","content":{"redacts":"$e"}}"#
        ),
        Case(
            provider: "signal",
            message:
                #"{"envelope":{"sourceNumber":"+1","timestamp":5,"dataMessage":{"timestamp":5,"message":"https://e.example/"}},"account":"+2"}"#,
            deletion:
                #"{"envelope":{"sourceNumber":"+1","timestamp":9,"dataMessage":{"timestamp":9,"remoteDelete":{"timestamp":5}}},"account":"+2"}"#
        ),
        Case(
            provider: "line",
            message:
                #"{"events":[{"type":"message","mode":"active","webhookEventId":"W","source":{"type":"user","userId":"U"},"message":{"type":"text","id":"11","text":"https://e.example/"}}]}"#,
            deletion:
                #"{"events":[{"type":"unsend","mode":"active","webhookEventId":"X","source":{"type":"user","userId":"U"},"unsend":{"messageId":"11"}}]}"#
        ),
    ]

    @Test("is taken back by its own name and author", arguments: cases.indices)
    func named(_ index: Int) async throws {
        let sample = Self.cases[index]
        let message = try await kept(sample.provider, sample.message)
        let deletion = try await kept(sample.provider, sample.deletion)
        guard case .delivery(let key, let author)? = deletion.undo else {
            Issue.record("no order: \(sample.provider)")
            return
        }
        #expect(author == message.author)
        #expect(([message.key].compactMap(\.self) + message.otherKeys).contains(key))
        #expect(deletion.author == nil && deletion.key != message.key)
        #expect(deletion.envelope.undo != nil)
    }

    private func kept(_ provider: String, _ body: String) async throws -> ProviderEntrance.KeptDelivery {
        let signatures = ["line": "x-line-signature"]
        let trial = try ProviderTrial(
            provider, secret: signatures[provider].map { _ in "chan" }, token: "t", apiBase: "https://api.example")
        var request = SampleRequest(json: body)
        if let name = signatures[provider] { request = request.with(name, base64Code(of: body, key: "chan")) }
        switch try await trial.receive(request) {
        case .keep(let delivery): return delivery
        case .keepEach(let deliveries): return try #require(deliveries.first)
        case let other:
            Issue.record("not kept: \(other)")
            throw ReadingError(.unreadable, "not kept")
        }
    }

    @Test("by others, by its edit or by a reaction is not: nothing is pinned and nothing taken back")
    func ignored() async throws {
        for event in [
            #"{"event_id":"$x","room_id":"!r","sender":"@u:h","type":"m.reaction","content":{"m.relates_to":{"rel_type":"m.annotation","event_id":"$e","key":"+1"}}}"#,
            #"{"event_id":"$x","room_id":"!r","sender":"@u:h","type":"m.room.message","content":{"msgtype":"m.text","body":"* https://e.example/b","m.new_content":{"msgtype":"m.text","body":"https://e.example/b"},"m.relates_to":{"rel_type":"m.replace","event_id":"$e"}}}"#,
            #"{"event_id":"$x","room_id":"!r","sender":"@u:h","type":"m.room.redaction","content":{}}"#,
            #"{"event_id":"$x","room_id":"!r","sender":"@u:h","type":"m.room.redaction","redacts":null,"content":{"redacts":7.5}}"#,
        ] {
            let trial = try ProviderTrial("matrix", token: "t", apiBase: "https://m.example")
            guard case .answer(let answer, _) = try await trial.receive(SampleRequest(json: event)) else {
                Issue.record("taken: \(event)")
                continue
            }
            #expect(answer.status == 200)
        }
    }
}
