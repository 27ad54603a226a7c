import FoundationEssentials
import PinpostCore
import Testing

@Suite("What pages leave behind", .timeLimit(.minutes(10)))
struct PageTests {
    private static let page = "https://example.org/page"

    private func done(_ item: NewItem, pin: Int64, in store: some DeliveryQueue) async throws {
        let lease = try await store.lease()
        try await store.bring(item.id, to: .pin, under: lease)
        _ = try await store.take(.deliver, lease)
        try await store.advance(
            item.id, to: .done, learning: .pinned(PinID(pin), board: nil), under: lease, now: .noon)
        try await store.settle(item.id, as: .done(note: nil), under: lease, now: .noon)
        try await store.release(lease, now: .noon)
    }

    @Test("the same page is remembered for its tenant, a picture's link never", arguments: StoreBackend.allCases)
    func remembered(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant()
            let (bob, _) = try await test.store.addTenant("bob", on: server)
            let first = NewItem.link(0, Self.page)
            try await test.store.enqueue([first], for: ada)
            try await done(first, pin: 21, in: test.store)
            let again = NewItem.link(0, Self.page)
            let picture = NewItem(
                id: makeID(), sequence: 1, kind: .link(FoundLink(url: Self.page, isImage: true)),
                draft: PinDraft(description: ""))
            let other = NewItem.link(2, Self.page + "?b")
            try await test.store.enqueue([again, picture, other], for: ada, at: .noon + 1)
            let foreign = NewItem.link(0, Self.page)
            try await test.store.enqueue([foreign], for: bob, at: .noon + 2)
            let expected: [(NewItem, EarlierPin?)] = [
                (again, .pinned(PinID(21))), (picture, nil), (other, nil), (foreign, nil),
            ]
            for (new, earlier) in expected {
                let item = try #require(try await test.store.item(new.id))
                #expect(try await test.store.earlierPin(ofPageIn: item) == earlier)
            }
        }
    }

    @Test("of two that wait, the later one waits for the earlier one", arguments: StoreBackend.allCases)
    func underway(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, _) = try await test.store.addTenant()
            let (first, second) = (NewItem.link(0, Self.page), NewItem.link(0, Self.page))
            try await test.store.enqueue([first], for: ada)
            try await test.store.enqueue([second], for: ada, at: .noon + 1)
            let items = [try await test.store.item(first.id), try await test.store.item(second.id)].compactMap(\.self)
            try #require(items.count == 2)
            #expect(try await test.store.earlierPin(ofPageIn: items[0]) == nil)
            #expect(try await test.store.earlierPin(ofPageIn: items[1]) == .underway)
        }
    }

    @Test("the page's words replace the draft, and its note is told at the end", arguments: StoreBackend.allCases)
    func notes(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, _) = try await test.store.addTenant()
            let new = NewItem.link(0, Self.page)
            try await test.store.enqueue([new], for: ada)
            let lease = try await test.store.lease()
            let item = try #require(try await test.store.take(.prepare, lease).first)
            var draft = item.draft
            draft.description = "The page's title"
            let notes = PageNotes(
                draft: draft, candidates: [OfferedPicture(url: "https://example.org/a.jpg", rule: "og:image")],
                note: "Pinned as a card.")
            let picture = PreparedPicture(bytes: .inline("jpeg"), type: .jpeg)
            try await test.store.advance(
                item.id, to: .upload, learning: .found(picture, notes), under: lease, now: .noon)
            let prepared = try #require(try await test.store.item(item.id))
            #expect(prepared.draft == draft)
            #expect(prepared.facts.picture == picture)
            _ = try await test.store.take(.deliver, lease)
            try await test.store.settle(item.id, as: .done(note: nil), under: lease, now: .noon)
            #expect(try await test.store.item(item.id)?.reason == "Pinned as a card.")
        }
    }
}

extension PageTests {
    /// A page that is pinned as 21 and about to get another picture; and the same page, sent once more.
    private func repinned(in store: some Store) async throws -> (first: NewItem, again: NewItem) {
        let (ada, _) = try await store.addTenant()
        let (first, again) = (NewItem.link(0, Self.page), NewItem.link(0, Self.page))
        try await store.enqueue([first], for: ada)
        try await done(first, pin: 21, in: store)
        try await store.enqueue([again], for: ada, at: .noon + 1)
        try await store.replace(first.id, with: Self.other, now: .noon + 2)
        return (first, again)
    }

    private func earlier(_ item: NewItem, in store: some Store) async throws -> EarlierPin? {
        try await store.earlierPin(ofPageIn: try #require(try await store.item(item.id)))
    }

    @Test(
        "a page is waited for while its picture is replaced, and stays pinned where that fails or is given up",
        arguments: StoreBackend.allCases)
    func rememberedThroughFailures(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (first, again) = try await repinned(in: test.store)
            // The pin from before goes once the new one is there.
            #expect(try await earlier(again, in: test.store) == .underway)
            let lease = try await test.store.lease(at: .noon + 3)
            for _ in 0..<2 { _ = try await test.store.take(.prepare, lease, at: .noon + 3) }
            try await test.store.settle(first.id, as: .parked(reason: "no picture"), under: lease, now: .noon + 3)
            #expect(try await earlier(again, in: test.store) == .pinned(PinID(21)))
            try await test.store.cancel(first.id, now: .noon + 4)
            #expect(try await earlier(again, in: test.store) == .pinned(PinID(21)))
        }
    }

    @Test("a pin counts whose board could not be had, also once that is given up", arguments: StoreBackend.allCases)
    func rememberedWithoutBoard(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, _) = try await test.store.addTenant()
            let (first, again) = (NewItem.link(0, Self.page), NewItem.link(0, Self.page))
            try await test.store.enqueue([first], for: ada)
            try await test.store.enqueue([again], for: ada, at: .noon + 1)
            let lease = try await test.store.lease()
            try await test.store.bring(first.id, to: .board, under: lease)
            let pin = try #require(try await test.store.item(first.id)?.facts.pin)
            #expect(try await earlier(again, in: test.store) == .pinned(pin))
            _ = try await test.store.take(.deliver, lease, at: .noon + 1)
            try await test.store.settle(first.id, as: .parked(reason: "no board"), under: lease, now: .noon + 1)
            try await test.store.cancel(first.id, now: .noon + 2)
            #expect(try await test.store.item(first.id)?.reason?.contains("the pin stays") == true)
            #expect(try await earlier(again, in: test.store) == .pinned(pin))
        }
    }

    private static let other = Replacement(picture: "https://example.org/b.png", pin: PinID(21), floor: PinID(3))

    @Test("a pinned page starts once more with the chosen picture, and only then", arguments: StoreBackend.allCases)
    func replacement(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, _) = try await test.store.addTenant()
            let item = NewItem.link(0, Self.page)
            try await test.store.enqueue([item], for: ada)
            await #expect(throws: StoreError.self) {
                try await test.store.replace(item.id, with: Self.other, now: .noon)
            }
            try await done(item, pin: 21, in: test.store)
            try await test.store.replace(item.id, with: Self.other, now: .noon + 5)
            let again = try #require(try await test.store.item(item.id))
            #expect(again.state == .ready && again.step == .prepare && again.facts == Item.Facts())
            #expect(again.draft.replacement == Self.other)
            let message = try #require(try await test.store.message(again.message))
            #expect(message.state == .delivering)
            let lease = try await test.store.lease(at: .noon + 6)
            #expect(try await test.store.take(.prepare, lease, at: .noon + 6).map(\.id) == [item.id])
        }
    }
}

extension PageTests {
    @Test(
        "a pin that is gone is forgotten by every item of its page, and what it hid shows",
        arguments: StoreBackend.allCases)
    func forgotten(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, _) = try await test.store.addTenant()
            let items = (0..<4).map { _ in NewItem.link(0, Self.page) }
            for (number, item) in items.enumerated() {
                try await test.store.enqueue([item], for: ada, at: .noon + Double(number / 2))
                if number < 2 { try await done(item, pin: Int64(21 + number), in: test.store) }
            }
            #expect(try await earlier(items[3], in: test.store) == .pinned(PinID(22)))
            let asking = try #require(try await test.store.item(items[3].id))
            try await test.store.forget(PinID(22), ofPageIn: asking)
            #expect(try await earlier(items[3], in: test.store) == .pinned(PinID(21)))
            #expect(try await test.store.item(items[1].id)?.facts.pin == nil)
            try await test.store.forget(PinID(21), ofPageIn: asking)
            #expect(try await earlier(items[3], in: test.store) == .underway)
            #expect(try await earlier(items[2], in: test.store) == nil)
        }
    }
}
