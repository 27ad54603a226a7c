import FoundationEssentials
import PinpostCore
import Testing

/// The pictures of a message are prepared side by side, and pinned in the order of the message.
@Suite("The order of one message's items", .timeLimit(.minutes(10)))
struct OrderTests {
    private static let prepared = StepFacts.prepared(PreparedPicture(bytes: .inline("jpeg"), type: .jpeg))

    /// Three items whose preparation is under way, in order.
    private func preparing(in test: StoreUnderTest) async throws -> (lease: ServerLease, items: [NewItem]) {
        let (tenant, _) = try await test.store.addTenant()
        let items = [NewItem.image(0), .image(1, .inline("second")), .image(2, .inline("third"))]
        try await test.store.enqueue(items, for: tenant)
        let lease = try await test.store.lease()
        for item in items { try #require(try await test.store.take(.prepare, lease).map(\.id) == [item.id]) }
        return (lease, items)
    }

    @Test("a picture that is ready early waits for those before it", arguments: StoreBackend.allCases)
    func waitsForElders(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (lease, items) = try await preparing(in: test)
            let store = test.store
            for item in items.reversed() {
                #expect(try await store.take(.deliver, lease).isEmpty)
                try await store.advance(item.id, to: .upload, learning: Self.prepared, under: lease, now: .noon)
            }
            for item in items { #expect(try await store.take(.deliver, lease).map(\.id) == [item.id]) }
        }
    }

    @Test("one that failed holds nobody up", arguments: StoreBackend.allCases)
    func failedElder(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (lease, items) = try await preparing(in: test)
            let store = test.store
            try await store.advance(items[1].id, to: .upload, learning: Self.prepared, under: lease, now: .noon)
            #expect(try await store.take(.deliver, lease).isEmpty)
            try await store.settle(items[0].id, as: .retry(at: .noon + 60, reason: "slow"), under: lease, now: .noon)
            #expect(try await store.take(.deliver, lease).map(\.id) == [items[1].id])
            try await store.settle(items[2].id, as: .parked(reason: "broken"), under: lease, now: .noon)
            #expect(try await store.take(.deliver, lease).isEmpty)
        }
    }

    @Test("one that takes long is overtaken", arguments: StoreBackend.allCases)
    func slowElder(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (lease, items) = try await preparing(in: test)
            let store = test.store
            try await store.advance(items[2].id, to: .upload, learning: Self.prepared, under: lease, now: .noon)
            #expect(try await store.take(.deliver, lease, at: .noon + 4).isEmpty)
            #expect(try await store.take(.deliver, lease, at: .noon + 5).map(\.id) == [items[2].id])
        }
    }
}
