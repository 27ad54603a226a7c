import FoundationEssentials
import PinpostCore
import Testing

@Suite("What became of messages", .timeLimit(.minutes(10)))
struct HistoryTests {
    @Test("waiting ends when the last item is final, without waiting longer", arguments: StoreBackend.allCases)
    func waiting(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let store = test.store
            let (tenant, _) = try await store.addTenant()
            let (first, second) = (NewItem.link(0), NewItem.link(1))
            let message = try await store.enqueue([first, second], for: tenant)
            let lease = try await store.lease()
            async let final = store.waitUntilFinal(message, upTo: .seconds(50))
            for item in [first, second] {
                #expect(try await store.take(.prepare, lease).map(\.id) == [item.id])
                try await store.settle(item.id, as: .parked(reason: "no picture"), under: lease, now: .noon)
            }
            #expect(try await final?.state == .done)
        }
    }

    @Test("waiting ends at the deadline with the state of that moment", arguments: StoreBackend.allCases)
    func deadline(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let message = try await test.store.enqueue([.link(0)], for: tenant)
            #expect(try await test.store.waitUntilFinal(message, upTo: .milliseconds(20))?.state == .delivering)
            #expect(try await test.store.waitUntilFinal(makeID(), upTo: .seconds(50)) == nil)
        }
    }

    @Test("messages and items are listed newest first, items by state", arguments: StoreBackend.allCases)
    func lists(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let items = (0..<3).map { NewItem.link($0) }
            let first = try await test.store.enqueue(items, for: tenant)
            let second = try await test.store.enqueue([.link(0)], for: tenant)
            let lease = try await test.store.lease()
            _ = try await test.store.take(.prepare, lease)
            try await test.store.settle(items[0].id, as: .parked(reason: "x"), under: lease, now: .noon)
            _ = try await test.store.take(.prepare, lease)
            #expect(try await test.store.messages(of: tenant.id, newest: 5).map(\.id) == [second, first])
            #expect(try await test.store.messages(of: tenant.id, newest: 1).map(\.id) == [second])
            let parked = try await test.store.items(of: tenant.id, in: [.parked], newest: 5)
            #expect(parked.map(\.id) == [items[0].id])
            let open = try await test.store.items(of: tenant.id, in: [.ready, .running], newest: 5)
            #expect(open.map(\.message) == [second, first, first])
            #expect(open.dropFirst().map(\.id) == [items[2].id, items[1].id])
            #expect(try await test.store.items(of: tenant.id, in: [], newest: 5).isEmpty)
        }
    }

    @Test("lists of all tenants go by arrival, and hold no bytes", arguments: StoreBackend.allCases)
    func everybodys(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let tenants = [try await test.store.addTenant().tenant, try await test.store.addTenant("bob").tenant]
            var (items, messages) = ([Item.ID](), [Message.ID]())
            for number in 0..<4 {
                let new = [NewItem.image(0), .image(1, .inline("other"))]
                items += new.map(\.id)
                messages.append(
                    try await test.store.enqueue(new, for: tenants[number % 2], at: .noon + Double(number)))
            }
            let lease = try #require(
                try await test.store.leaseServers(upTo: 1, now: .noon + 9, until: .noon + 60).first)
            let taken = try #require(try await test.store.take(.prepare, lease, at: .noon + 9).first)
            try await test.store.settle(taken.id, as: .parked(reason: "x"), under: lease, now: .noon + 9)
            let overview = try await test.store.overview(of: nil, newest: 3)
            #expect(overview.map(\.id) == messages.suffix(3).reversed())
            #expect(overview[0].tenant == tenants[1].id && overview[0].items == [.ready: 2])
            let line = try #require(try await test.store.overview(of: taken.tenant, newest: 9).last)
            #expect(line.id == taken.message && line.items == [.ready: 1, .parked: 1])
            let all = Set(Item.State.allCases)
            #expect(try await test.store.items(of: nil, in: all, newest: 5).map(\.id) == items.suffix(5).reversed())
            let waiting = items.filter { $0 != taken.id }
            let open = try await test.store.items(of: nil, in: [.ready, .running], newest: 9)
            #expect(open.map(\.id) == waiting.reversed())
            for item in open {
                guard case .image(let bytes, _) = item.kind else { continue }
                #expect(bytes.place == .inline([]) && bytes.count > 0)
            }
            #expect(try await test.store.items(of: nil, in: [.parked], newest: 9).map(\.id) == [taken.id])
        }
    }

    @Test("unknown ids are nil or not found", arguments: StoreBackend.allCases)
    func unknown(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let message = try await test.store.message(makeID())
            #expect(message == nil)
            #expect(try await test.store.item(makeID()) == nil)
            #expect(try await test.store.items(of: makeID()).isEmpty)
            await #expect(throws: StoreError(.notFound, "item")) { try await test.store.retry(makeID(), now: .noon) }
            await #expect(throws: StoreError(.notFound, "item")) { try await test.store.cancel(makeID(), now: .noon) }
        }
    }
}
