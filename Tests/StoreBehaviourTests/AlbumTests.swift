import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

@Suite("Albums", .timeLimit(.minutes(10)))
struct AlbumTests {
    @Test(
        "the parts of an album become one message, in their order, and outlive a crash",
        arguments: StoreBackend.allCases)
    func gathers(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let hook = Hook.fixture(of: tenant)
            try await test.store.add(hook)
            let second = try await test.store.accept(.part(2, of: tenant, by: hook, at: .noon))
            try await test.crash(reopenAt: .noon + 0.2)
            let first = try await test.store.accept(.part(1, of: tenant, by: hook, at: .noon + 0.5))
            #expect(first == Acceptance(message: second.message, isRepeat: false))
            #expect(try await test.store.takeAccepted(upTo: 10, now: .noon + 1.6).isEmpty)
            try await test.crash(reopenAt: .noon + 1.7)
            let third = try await test.store.accept(.part(3, of: tenant, by: hook, at: .noon + 1.8))
            #expect(third.message == second.message)
            let taken = try await test.store.takeAccepted(upTo: 10, now: .noon + 3.4)
            #expect(taken.map(\.id) == [second.message])
            #expect(taken.first?.album.map(\.text) == ["part 1", "part 2", "part 3"])
        }
    }

    @Test("a part that comes again is a repeat, while the album waits and afterwards", arguments: StoreBackend.allCases)
    func repeats(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let hook = Hook.fixture(of: tenant)
            try await test.store.add(hook)
            let album = try await test.store.accept(.part(1, of: tenant, by: hook)).message
            _ = try await test.store.accept(.part(2, of: tenant, by: hook))
            for number in 1...2 {
                let again = try await test.store.accept(.part(number, of: tenant, by: hook))
                #expect(again == Acceptance(message: album, isRepeat: true))
            }
            _ = try await test.store.takeAccepted(upTo: 10, now: .noon + 5)
            try await test.store.split(album, into: [], skipped: [], note: nil, now: .noon + 5)
            for number in 1...2 {
                let again = try await test.store.accept(.part(number, of: tenant, by: hook, at: .noon + 3_600))
                #expect(again == Acceptance(message: album, isRepeat: true))
            }
        }
    }

    @Test("a part that comes too late begins a message of its own", arguments: StoreBackend.allCases)
    func late(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let hook = Hook.fixture(of: tenant)
            try await test.store.add(hook)
            let album = try await test.store.accept(.part(1, of: tenant, by: hook)).message
            #expect(try await test.store.takeAccepted(upTo: 10, now: .noon + 2).count == 1)
            let late = try await test.store.accept(.part(2, of: tenant, by: hook, at: .noon + 2))
            #expect(!late.isRepeat && late.message != album)
            // It waits for the album to be read, and then knows what that came to.
            let early = try await test.store.takeAccepted(upTo: 10, now: .noon + 4)
            #expect(early.map(\.id) == [late.message] && early.first?.elder == .unread)
            try await test.store.postpone(late.message, until: .noon + 5, reason: "its album is being read")
            let draft = PinDraft(description: "Three views", tags: ["set"], destination: .board(BoardID(4)))
            let item = NewItem(
                id: makeID(), sequence: 0, kind: .link(FoundLink(url: "https://e.example/")), draft: draft)
            try await test.store.split(album, into: [item], skipped: [], note: nil, now: .noon + 5)
            let taken = try await test.store.takeAccepted(upTo: 10, now: .noon + 5)
            #expect(taken.first?.elder == .read(draft, isDescribed: true))
            // What the page behind a link says is not what the sender said.
            let lease = try await test.store.lease(at: .noon + 5)
            _ = try await test.store.take(.prepare, lease, at: .noon + 5)
            var ofPage = draft
            ofPage.isDescribedByPage = true
            let picture = PreparedPicture(bytes: .inline("jpeg"), type: .jpeg)
            try await test.store.advance(
                item.id, to: .upload, learning: .found(picture, PageNotes(draft: ofPage)), under: lease, now: .noon + 5)
            try await test.store.postpone(late.message, until: .noon + 5, reason: "once more")
            let again = try await test.store.takeAccepted(upTo: 10, now: .noon + 5)
            #expect(again.first?.elder == .read(ofPage, isDescribed: false))
            let other = try await test.store.accept(.part(9, of: tenant, by: hook, at: .noon + 6, album: "another"))
            let alone = try await test.store.takeAccepted(upTo: 10, now: .noon + 9)
            #expect(alone.map(\.id) == [other.message] && alone.first?.elder == nil)
        }
    }

    @Test("an album that never rests is read after ten seconds", arguments: StoreBackend.allCases)
    func longest(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let hook = Hook.fixture(of: tenant)
            try await test.store.add(hook)
            for number in 0..<11 {
                _ = try await test.store.accept(.part(number, of: tenant, by: hook, at: .noon + Double(number) * 0.9))
            }
            #expect(try await test.store.takeAccepted(upTo: 10, now: .noon + 9.9).isEmpty)
            #expect(try await test.store.takeAccepted(upTo: 10, now: .noon + 10).first?.album.count == 11)
        }
    }

    @Test("an album whose size is known is read as soon as it is complete", arguments: StoreBackend.allCases)
    func complete(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let hook = Hook.fixture(of: tenant)
            try await test.store.add(hook)
            _ = try await test.store.accept(.part(1, of: tenant, by: hook, total: 2))
            #expect(try await test.store.takeAccepted(upTo: 10, now: .noon).isEmpty)
            _ = try await test.store.accept(.part(2, of: tenant, by: hook, total: 2))
            #expect(try await test.store.takeAccepted(upTo: 10, now: .noon).first?.album.count == 2)
        }
    }

    @Test("a delivery under another known name is a repeat", arguments: StoreBackend.allCases)
    func otherNames(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let first = ReceivedMessage.named(["event 1", "channel 1"], of: tenant)
            _ = try await test.store.accept(first)
            for names in [["event 2", "channel 1"], ["event 1", "channel 2"]] {
                let again = try await test.store.accept(.named(names, of: tenant))
                #expect(again == Acceptance(message: first.id, isRepeat: true))
            }
            #expect(try await test.store.accept(.named(["event 3", "channel 3"], of: tenant)).isRepeat == false)
        }
    }

    @Test("what came alone gives way to the message that claims it, while it waits", arguments: StoreBackend.allCases)
    func claims(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let alone = ReceivedMessage.named(["event 1", "file 1"], of: tenant, patience: 10)
            _ = try await test.store.accept(alone)
            #expect(try await test.store.takeAccepted(upTo: 10, now: .noon + 9).isEmpty)
            let whole = ReceivedMessage.named(["event 2", "message 1"], of: tenant, claims: ["file 1", "file 2"])
            #expect(try await test.store.accept(whole).isRepeat == false)
            #expect(try await test.store.message(alone.id)?.state == .done)
            #expect(try await test.store.takeAccepted(upTo: 10, now: .noon + 20).map(\.id) == [whole.id])
            for name in ["file 1", "file 2"] {
                let late = try await test.store.accept(.named(["event of \(name)", name], of: tenant))
                #expect(late == Acceptance(message: whole.id, isRepeat: true))
            }
            let repeated = try await test.store.accept(.named(["event 1", "file 1"], of: tenant))
            #expect(repeated.isRepeat)
        }
    }

    @Test(
        "what came alone and was read is not brought again by its message, however late",
        arguments: StoreBackend.allCases)
    func earlyParts(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let alone = ReceivedMessage.named(["event 1", "file 1"], of: tenant, patience: 10)
            _ = try await test.store.accept(alone)
            #expect(try await test.store.takeAccepted(upTo: 10, now: .noon + 10).map(\.id) == [alone.id])
            try await test.store.split(alone.id, into: [.image(0)], skipped: [], note: nil, now: .noon + 10)
            let whole = ReceivedMessage.named(["event 2", "message 1"], of: tenant, claims: ["file 1", "file 2"])
            #expect(try await test.store.accept(whole).isRepeat == false)
            try await test.crash(reopenAt: .noon + 11)
            let taken = try await test.store.takeAccepted(upTo: 10, now: .noon + 20)
            #expect(taken.map(\.id) == [whole.id] && taken.first?.earlyParts == [SHA256.hash("file 1")])
            // The same thing, shared once more on purpose.
            let again = ReceivedMessage.named(["event 3", "message 2"], of: tenant, claims: ["file 1", "file 2"])
            #expect(try await test.store.accept(again).isRepeat == false)
            let others = try await test.store.takeAccepted(upTo: 10, now: .noon + 20)
            #expect(others.map(\.id) == [again.id] && others.first?.earlyParts == [])
        }
    }

    @Test("a hook keeps its settings and sealed secrets, and forgets them", arguments: StoreBackend.allCases)
    func secrets(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            var hook = Hook.fixture(of: tenant)
            hook.settings = HookSettings(apiBase: "https://api.example", allowed: ["7"], options: ["a": "b"])
            hook.secret = SealedSecret(id: makeID(), purpose: .hookSecret, keyID: "k1", box: [1, 2])
            hook.token = SealedSecret(id: makeID(), purpose: .hookToken, keyID: "k1", box: [3])
            try await test.store.add(hook)
            #expect(try await test.store.hook(hook.id) == hook)
            hook.token = nil
            hook.settings.allowed = ["8"]
            hook.tokens[0].limits = TokenLimits(expiresAt: .noon, scopes: [.status])
            hook.tokens.append(Hook.Token(hash: SHA256.hash("another")))
            try await test.store.update(hook)
            #expect(try await test.store.hook(hook.id) == hook)
            let records = try await test.store.recordsPerKey()
            try await test.store.remove(hook.id, of: tenant.id)
            #expect(try await test.store.recordsPerKey()["k1", default: 0] == records["k1", default: 0] - 1)
        }
    }
}

extension ReceivedMessage {
    fileprivate static func part(
        _ number: Int, of tenant: Tenant, by hook: Hook, total: Int? = nil, at time: Date = .noon,
        album: String = "album"
    ) -> ReceivedMessage {
        ReceivedMessage(
            id: makeID(), tenant: tenant.id, route: .hook(hook.id), source: .hook,
            deliveryKey: SHA256.hash("update \(number)"), body: .inline("part \(number)"), envelope: Envelope(),
            receivedAt: time, album: AlbumPlace(key: SHA256.hash(album), position: number, total: total))
    }

    fileprivate static func named(
        _ names: [String], of tenant: Tenant, claims: [String] = [], patience: TimeInterval = 0
    ) -> ReceivedMessage {
        ReceivedMessage(
            id: makeID(), tenant: tenant.id, route: .command, source: .hook, deliveryKey: SHA256.hash(names[0]),
            body: .inline("body"), envelope: Envelope(), receivedAt: .noon,
            otherKeys: names.dropFirst().map { SHA256.hash($0) }, claims: claims.map { SHA256.hash($0) },
            patience: patience)
    }
}

extension StoredBytes {
    fileprivate var text: String {
        if case .inline(let bytes) = place { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
}
