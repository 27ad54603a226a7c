import FoundationEssentials
import PinpostCore
import Testing

@Suite("Delivering items", .timeLimit(.minutes(10)))
struct DeliveryTests {
    @Test("the attempt is counted before the call and survives a crash", arguments: StoreBackend.allCases)
    func countedFirst(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            try await test.store.enqueue([.link(0)], for: tenant)
            let taken = try await test.store.take(.prepare, try await test.store.lease())
            #expect(taken.map(\.attempt) == [1])
            #expect(taken.map(\.state) == [.running])
            try await test.crash(reopenAt: .noon + 1)
            let item = try #require(try await test.store.item(taken[0].id))
            #expect(item.state == .ready)
            #expect(item.attempt == 1)
            #expect(item.ambiguousUntil == nil)
            // The next try was written down before the first: a crash loop slows down by itself.
            #expect(try await test.store.leaseServers(upTo: 1, now: .noon + 3, until: .noon + 60).isEmpty)
            let lease = try await test.store.lease(at: .noon + 7)
            #expect(try await test.store.take(.prepare, lease, at: .noon + 7).map(\.attempt) == [2])
        }
    }

    @Test("a pin that a crash interrupted is in doubt until the quiet period is over", arguments: StoreBackend.allCases)
    func doubtAfterCrash(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let item = NewItem.link(0)
            try await test.store.enqueue([item], for: tenant)
            var lease = try await test.store.lease()
            try await test.store.bring(item.id, to: .pin, under: lease)
            #expect(try await test.store.take(.deliver, lease).map(\.step) == [.pin])
            try await test.crash(reopenAt: .noon + 1)
            #expect(try await test.store.item(item.id)?.ambiguousUntil == .noon + 61)
            #expect(try await test.store.nextDue() == .noon + 61)
            lease = try await test.store.lease(at: .noon + 61)
            let again = try #require(try await test.store.take(.deliver, lease, at: .noon + 61).first)
            #expect(again.attempt == 2)
            #expect(again.ambiguousUntil != nil)
            try await test.store.advance(again.id, to: .pin, learning: .notPinned, under: lease, now: .noon + 62)
            let clear = try #require(try await test.store.take(.deliver, lease, at: .noon + 62).first)
            #expect(clear.ambiguousUntil == nil)
            #expect(clear.facts.image == ImageID(11))
        }
    }

    @Test("retry counts, snooze does not, each comes back at its time", arguments: StoreBackend.allCases)
    func putBack(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let item = NewItem.link(0)
            try await test.store.enqueue([item], for: tenant)
            let lease = try await test.store.lease()
            _ = try await test.store.take(.prepare, lease)
            try await test.store.settle(item.id, as: .retry(at: .noon + 5, reason: "slow"), under: lease, now: .noon)
            #expect(try await test.store.take(.prepare, lease, at: .noon + 4).isEmpty)
            #expect(try await test.store.item(item.id)?.reason == "slow")
            #expect(try await test.store.take(.prepare, lease, at: .noon + 5).map(\.attempt) == [2])
            let snooze = Outcome.snooze(until: .noon + 9, reason: "busy")
            try await test.store.settle(item.id, as: snooze, under: lease, now: .noon + 5)
            #expect(try await test.store.item(item.id)?.attempt == 1)
            #expect(try await test.store.take(.prepare, lease, at: .noon + 8).isEmpty)
            #expect(try await test.store.take(.prepare, lease, at: .noon + 9).map(\.attempt) == [2])
        }
    }

    @Test("an ambiguous answer keeps the item back and in doubt", arguments: StoreBackend.allCases)
    func ambiguous(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let item = NewItem.link(0)
            try await test.store.enqueue([item], for: tenant)
            let lease = try await test.store.lease()
            try await test.store.bring(item.id, to: .pin, under: lease)
            _ = try await test.store.take(.deliver, lease)
            let outcome = Outcome.ambiguous(notBefore: .noon + 60, reason: "answer lost")
            try await test.store.settle(item.id, as: outcome, under: lease, now: .noon)
            #expect(try await test.store.take(.deliver, lease, at: .noon + 59).isEmpty)
            let again = try #require(try await test.store.take(.deliver, lease, at: .noon + 60).first)
            #expect(again.ambiguousUntil == .noon + 60)
            #expect(again.facts.pinFloor == PinID(5))
        }
    }

    @Test(
        "attempts start again with each step, and a lost image goes back to the upload",
        arguments: StoreBackend.allCases)
    func steps(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let item = NewItem.link(0)
            try await test.store.enqueue([item], for: tenant)
            let lease = try await test.store.lease()
            try await test.store.bring(item.id, to: .pin, under: lease)
            #expect(try await test.store.take(.deliver, lease).map(\.attempt) == [1])
            try await test.store.advance(item.id, to: .upload, learning: .imageLost, under: lease, now: .noon)
            let again = try #require(try await test.store.take(.deliver, lease).first)
            #expect(again.step == .upload)
            #expect(again.attempt == 1)
            #expect(again.facts.image == nil)
            #expect(again.facts.picture?.type == .jpeg)
        }
    }

    @Test(
        "a picture that is too large goes back to its original, and the server's limit only gets lower",
        arguments: StoreBackend.allCases)
    func tooLarge(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, server) = try await test.store.addTenant()
            let (original, prepared) = (try test.store.put(largePicture), try test.store.put(largePicture))
            let item = NewItem.image(0, original)
            try await test.store.enqueue([item], for: tenant)
            var lease = try await test.store.lease()
            let picture = StepFacts.prepared(PreparedPicture(bytes: prepared, type: .png))
            for (refusal, limit) in [(900_000, 900_000), (950_000, 900_000), (700_000, 700_000)] {
                _ = try await test.store.take(.prepare, lease)
                try await test.store.advance(item.id, to: .upload, learning: picture, under: lease, now: .noon)
                _ = try await test.store.take(.deliver, lease)
                let facts = StepFacts.tooLarge(serverTakes: refusal)
                try await test.store.advance(item.id, to: .prepare, learning: facts, under: lease, now: .noon)
                #expect(try await test.store.server(server.id)?.uploadLimit == limit)
            }
            #expect(throws: StoreError.self) { try test.store.open(prepared) }
            try await test.crash(reopenAt: .noon + 100)
            lease = try await test.store.lease(at: .noon + 100)
            #expect(lease.server.uploadLimit == 700_000)
            let again = try #require(try await test.store.take(.prepare, lease, at: .noon + 100).first)
            #expect(again.attempt == 1 && again.facts.picture == nil)
            #expect(try test.store.contents(of: original) == largePicture)
            var changed = lease.server
            changed.uploadLimit = nil
            try await test.store.update(tenant, on: changed)
            #expect(try await test.store.server(server.id)?.uploadLimit == nil)
        }
    }

    @Test(
        "the last step stays with its worker; a crash before the settling repeats nothing",
        arguments: StoreBackend.allCases)
    func lastStep(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let item = NewItem.link(0)
            let message = try await test.store.enqueue([item], for: tenant)
            var lease = try await test.store.lease()
            try await test.store.bring(item.id, to: .pin, under: lease)
            _ = try await test.store.take(.deliver, lease)
            let facts = StepFacts.pinned(PinID(8), board: nil)
            try await test.store.advance(item.id, to: .done, learning: facts, under: lease, now: .noon)
            #expect(try await test.store.item(item.id)?.state == .running)
            #expect(try await test.store.take(.deliver, lease).isEmpty)
            try await test.crash(reopenAt: .noon + 100)
            lease = try await test.store.lease(at: .noon + 100)
            let again = try #require(try await test.store.take(.deliver, lease, at: .noon + 100).first)
            #expect(again.step == .done)
            #expect(again.ambiguousUntil == nil)
            #expect(again.facts.pin == PinID(8))
            try await test.store.settle(item.id, as: .done(note: nil), under: lease, now: .noon + 100)
            #expect(try await test.store.message(message)?.state == .done)
        }
    }

    @Test("after the retry horizon an item is parked with the last reason", arguments: StoreBackend.allCases)
    func horizon(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let item = NewItem.link(0)
            let message = try await test.store.enqueue([item], for: tenant)
            let lease = try await test.store.lease()
            _ = try await test.store.take(.prepare, lease)
            let late = Date.noon + RetryPolicy().horizon
            try await test.store.settle(item.id, as: .retry(at: late, reason: "HTTP 502"), under: lease, now: .noon)
            #expect(try await test.store.take(.prepare, lease, at: late).isEmpty)
            let parked = try #require(try await test.store.item(item.id))
            #expect(parked.state == .parked)
            #expect(parked.reason?.contains("HTTP 502") == true)
            #expect(try await test.store.message(message)?.state == .done)
        }
    }

    @Test("an item that crashes every preparer is parked as poison", arguments: StoreBackend.allCases)
    func poison(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let item = NewItem.link(0)
            try await test.store.enqueue([item], for: tenant)
            var now = Date.noon
            for attempt in 1...5 {
                #expect(
                    try await test.store.take(.prepare, test.store.lease(at: now), at: now).map(\.attempt) == [attempt])
                now += 86_400 / 2
                try await test.crash(reopenAt: now)
            }
            #expect(try await test.store.take(.prepare, test.store.lease(at: now), at: now).isEmpty)
            let parked = try #require(try await test.store.item(item.id))
            #expect(parked.state == .parked)
            #expect(parked.reason?.contains("poison") == true)
        }
    }

    @Test(
        "bytes go with the item; a parked one keeps its own and goes on where it stood",
        arguments: StoreBackend.allCases)
    func bytes(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let (original, prepared) = (try test.store.put(largePicture), try test.store.put(largePicture))
            let item = NewItem.image(0, original)
            let message = try await test.store.enqueue([item], for: tenant)
            let lease = try await test.store.lease()
            _ = try await test.store.take(.prepare, lease)
            let picture = PreparedPicture(bytes: prepared, type: .png)
            try await test.store.advance(item.id, to: .upload, learning: .prepared(picture), under: lease, now: .noon)
            _ = try await test.store.take(.deliver, lease)
            try await test.store.settle(item.id, as: .parked(reason: "refused"), under: lease, now: .noon)
            #expect(try await test.store.message(message)?.state == .done)
            #expect(try test.store.contents(of: original) == largePicture)

            try await test.store.retry(item.id, now: .noon + 100)
            #expect(try await test.store.message(message)?.state == .delivering)
            let again = try #require(try await test.store.take(.deliver, lease, at: .noon + 100).first)
            #expect(again.attempt == 1)
            #expect(again.facts.picture == picture)
            try await test.store.settle(item.id, as: .done(note: "board gone"), under: lease, now: .noon + 101)
            let done = try #require(try await test.store.item(item.id))
            #expect(done.reason == "board gone")
            #expect(done.facts.picture == nil)
            for gone in [original, prepared] { #expect(throws: StoreError.self) { try test.store.open(gone) } }
        }
    }

    @Test("a parked item in doubt is still in doubt when it is retried", arguments: StoreBackend.allCases)
    func doubtSurvivesParking(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let item = NewItem.link(0)
            try await test.store.enqueue([item], for: tenant)
            let lease = try await test.store.lease()
            try await test.store.bring(item.id, to: .pin, under: lease)
            _ = try await test.store.take(.deliver, lease)
            let outcome = Outcome.ambiguous(notBefore: .noon + 60, reason: "answer lost")
            try await test.store.settle(item.id, as: outcome, under: lease, now: .noon)
            _ = try await test.store.take(.deliver, lease, at: .noon + 60)
            try await test.store.settle(item.id, as: .parked(reason: "gave up"), under: lease, now: .noon + 60)
            try await test.store.retry(item.id, now: .noon + 70)
            #expect(try await test.store.take(.deliver, lease, at: .noon + 70).first?.ambiguousUntil != nil)
        }
    }

    @Test("only waiting and parked items can be cancelled, only parked ones retried", arguments: StoreBackend.allCases)
    func cancelling(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let (first, second) = (NewItem.link(0), NewItem.image(1, try test.store.put(largePicture)))
            let message = try await test.store.enqueue([first, second], for: tenant)
            let lease = try await test.store.lease()
            #expect(try await test.store.take(.prepare, lease).map(\.id) == [first.id])
            await #expect(throws: StoreError.self) { try await test.store.cancel(first.id, now: .noon) }
            await #expect(throws: StoreError.self) { try await test.store.retry(second.id, now: .noon) }
            try await test.store.cancel(second.id, now: .noon)
            #expect(try await test.store.item(second.id)?.state == .cancelled)
            #expect(try await test.store.take(.prepare, lease).isEmpty)
            #expect(try await test.store.message(message)?.state == .delivering)
            try await test.store.settle(first.id, as: .done(note: nil), under: lease, now: .noon)
            #expect(try await test.store.message(message)?.state == .done)
            await #expect(throws: StoreError(.refused, "the item is done")) {
                try await test.store.cancel(first.id, now: .noon)
            }
        }
    }
}
