import FoundationEssentials
import PinpostCore
import Testing

@Suite("A message's way through the store", .timeLimit(.minutes(10)))
struct WholeWayTests {
    @Test("accepted, split, prepared, uploaded, pinned, put on its board, done", arguments: StoreBackend.allCases)
    func wholeWay(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let store = test.store
            let (tenant, server) = try await store.addTenant()
            let received = ReceivedMessage.fixture(of: tenant)
            #expect(try await store.accept(received) == Acceptance(message: received.id, isRepeat: false))

            let read = try #require(try await store.takeAccepted(upTo: 5, now: .noon).first)
            #expect(read.body == received.body)
            #expect(read.envelope == received.envelope)
            let item = NewItem.image(0)
            let skipped = SkippedPart(.file, name: "notes.txt", reason: "not a picture")
            try await store.split(received.id, into: [item], skipped: [skipped], note: "note", now: .noon)

            let lease = try await store.lease()
            #expect(lease.server == server)
            try await store.bring(item.id, to: .board, board: BoardID(3), under: lease)
            let last = try #require(try await store.take(.deliver, lease).first)
            #expect(last.step == .board)
            #expect(last.attempt == 1)
            #expect(last.facts.pin == PinID(21))
            #expect(last.facts.board == BoardID(3))
            #expect(last.facts.pinFloor == PinID(5))
            try await store.settle(last.id, as: .done(note: nil), under: lease, now: .noon)

            let done = try #require(try await store.message(received.id))
            #expect(done.state == .done)
            #expect(done.body == nil)
            #expect(done.skipped == [skipped])
            #expect(done.reason == "note")
            let items = try await store.items(of: received.id)
            #expect(items.map(\.state) == [.done])
            #expect(items.map(\.step) == [.done])
            #expect(items.first?.facts.picture == nil)
            #expect(items.first?.draft == item.draft)
        }
    }
}
