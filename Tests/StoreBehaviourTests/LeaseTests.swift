import FoundationEssentials
import PinpostCore
import Testing

@Suite("Leases on servers", .timeLimit(.minutes(10)))
struct LeaseTests {
    @Test(
        "only servers with due work are leased, and nobody else gets them meanwhile", arguments: StoreBackend.allCases)
    func leasing(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant("ada")
            _ = try await test.store.addTenant("idle")
            #expect(try await test.store.leaseServers(upTo: 5, now: .noon, until: .noon + 60).isEmpty)
            #expect(try await test.store.nextDue() == nil)
            try await test.store.enqueue([.link(0)], for: ada)
            #expect(try await test.store.nextDue() == .noon)
            let lease = try await test.store.lease()
            #expect(lease.server.id == server.id)
            #expect(try await test.store.nextDue() == .noon + 60)
            #expect(try await test.store.leaseServers(upTo: 5, now: .noon + 1, until: .noon + 61).isEmpty)
        }
    }

    @Test("the limit holds, and the rest is there for the next", arguments: StoreBackend.allCases)
    func limit(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            for slug in ["a", "b", "c"] {
                try await test.store.enqueue([.link(0)], for: try await test.store.addTenant(slug).tenant)
            }
            let first = try await test.store.leaseServers(upTo: 2, now: .noon, until: .noon + 60)
            #expect(first.count == 2)
            let second = try await test.store.leaseServers(upTo: 2, now: .noon, until: .noon + 60)
            #expect(second.count == 1)
            #expect(Set(first.map(\.server.id)).isDisjoint(with: second.map(\.server.id)))
        }
    }

    @Test(
        "after the expiry a new holder takes over, and the old one's results are dropped",
        arguments: StoreBackend.allCases)
    func fencing(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let item = NewItem.link(0)
            try await test.store.enqueue([item], for: tenant)
            let old = try await test.store.lease()
            try await test.store.bring(item.id, to: .pin, under: old)
            _ = try await test.store.take(.deliver, old)
            let new = try await test.store.lease(at: .noon + 60)
            #expect(new.epoch > old.epoch)
            await #expect(throws: StoreError(.leaseLost)) {
                try await test.store.settle(item.id, as: .done(note: nil), under: old, now: .noon + 61)
            }
            await #expect(throws: StoreError(.leaseLost)) {
                try await test.store.advance(
                    item.id, to: .done, learning: .pinned(PinID(1), board: nil), under: old, now: .noon + 61)
            }
            await #expect(throws: StoreError(.leaseLost)) { try await test.store.take(.deliver, old, at: .noon + 61) }
            await #expect(throws: StoreError(.leaseLost)) { try await test.store.renew(old, until: .noon + 90) }
            await #expect(throws: StoreError(.leaseLost)) { try await test.store.release(old, now: .noon + 61) }
            await #expect(throws: StoreError(.leaseLost)) {
                try await test.store.pause(old, until: .noon + 90, failures: 1)
            }
            await #expect(throws: StoreError(.leaseLost)) { try await test.store.noteNewestPin(PinID(9), under: old) }
            await #expect(throws: StoreError(.leaseLost)) { try await test.store.failures(of: old) }
            // What the old holder was doing may have happened.
            #expect(try await test.store.item(item.id)?.ambiguousUntil == .noon + 120)
            #expect(try await test.store.take(.deliver, new, at: .noon + 119).isEmpty)
            #expect(try await test.store.take(.deliver, new, at: .noon + 120).map(\.id) == [item.id])
        }
    }

    @Test("a renewed lease stays with its holder", arguments: StoreBackend.allCases)
    func renewing(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            try await test.store.enqueue([.link(0)], for: tenant)
            let lease = try await test.store.renew(try await test.store.lease(), until: .noon + 600)
            #expect(lease.expiry == .noon + 600)
            #expect(try await test.store.leaseServers(upTo: 1, now: .noon + 599, until: .noon + 700).isEmpty)
            #expect(try await test.store.take(.prepare, lease, at: .noon + 599).count == 1)
        }
    }

    @Test("a released server is woken at its next due item", arguments: StoreBackend.allCases)
    func releasing(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let item = NewItem.link(0)
            try await test.store.enqueue([item], for: tenant)
            let lease = try await test.store.lease()
            _ = try await test.store.take(.prepare, lease)
            try await test.store.settle(item.id, as: .retry(at: .noon + 30, reason: "x"), under: lease, now: .noon)
            try await test.store.release(lease, now: .noon)
            #expect(try await test.store.nextDue() == .noon + 30)
            #expect(try await test.store.leaseServers(upTo: 1, now: .noon + 29, until: .noon + 90).isEmpty)
            let next = try await test.store.lease(at: .noon + 30)
            #expect(next.epoch > lease.epoch)
            #expect(try await test.store.take(.prepare, next, at: .noon + 30).map(\.id) == [item.id])
            try await test.store.settle(item.id, as: .done(note: nil), under: next, now: .noon + 30)
            try await test.store.release(next, now: .noon + 30)
            #expect(try await test.store.nextDue() == nil)
        }
    }

    @Test("a paused server is left alone until its time; the breaker's count is kept", arguments: StoreBackend.allCases)
    func pausing(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            try await test.store.enqueue([.link(0), .link(1)], for: tenant)
            let lease = try await test.store.lease()
            #expect(try await test.store.failures(of: lease) == 0)
            try await test.store.pause(lease, until: .noon + 30, failures: 5)
            #expect(try await test.store.take(.prepare, lease).isEmpty)
            try await test.store.release(lease, now: .noon)
            #expect(try await test.store.nextDue() == .noon + 30)
            // New work does not wake it.
            try await test.store.enqueue([.link(0)], for: tenant, at: .noon + 1)
            #expect(try await test.store.leaseServers(upTo: 1, now: .noon + 29, until: .noon + 90).isEmpty)
            try await test.crash(reopenAt: .noon + 30)
            let next = try await test.store.lease(at: .noon + 30)
            #expect(try await test.store.failures(of: next) == 5)
            #expect(try await test.store.take(.prepare, next, at: .noon + 30).count == 1)
        }
    }

    @Test("the floor for reading pins only rises", arguments: StoreBackend.allCases)
    func newestPin(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, server) = try await test.store.addTenant()
            try await test.store.enqueue([.link(0)], for: tenant)
            #expect(try await test.store.server(server.id)?.newestPin == PinID(0))
            let lease = try await test.store.lease()
            for pin in [40, 90, 60] { try await test.store.noteNewestPin(PinID(Int64(pin)), under: lease) }
            #expect(try await test.store.server(server.id)?.newestPin == PinID(90))
            #expect(try await test.store.renew(lease, until: .noon + 90).server.newestPin == PinID(90))
        }
    }

    @Test("a signal tells the workers of new items", arguments: [StoreBackend.sqlite])
    func signal(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let signal = test.itemsArrived
            let before = signal.generation
            async let woken: Void = signal.wait(after: before, upTo: .seconds(50))
            try await test.store.enqueue([.link(0)], for: tenant)
            await woken
            #expect(signal.generation > before)
        }
    }
}
