import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

@Suite("The registry and the directory", .timeLimit(.minutes(10)))
struct RegistryTests {
    @Test("tenants, servers, addresses and hooks come back as they were put in", arguments: StoreBackend.allCases)
    func roundTrip(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let server = Server(
                id: makeID(), baseURL: "http://10.0.0.2:8080/pinry", dialect: .pinrysaver, allowsPrivateNetwork: true,
                caPEM: "-----BEGIN CERTIFICATE-----", maxInFlight: 2)
            let (tenant, _) = try await test.store.addTenant("ada", on: server)
            let address = Address.fixture(of: tenant, expiresAt: .noon + 100)
            let hook = Hook.fixture(of: tenant)
            try await test.store.add(address)
            try await test.store.add(hook)
            try await test.crash(reopenAt: .noon)
            #expect(try await test.store.tenant(slug: "ada") == tenant)
            #expect(try await test.store.tenant(tenant.id) == tenant)
            #expect(try await test.store.tenants() == [tenant])
            #expect(try await test.store.server(server.id) == server)
            #expect(try await test.store.server(baseURL: server.baseURL, dialect: .pinrysaver) == server)
            #expect(try await test.store.server(baseURL: server.baseURL, dialect: .v2) == nil)
            #expect(try await test.store.addresses(of: tenant.id) == [address])
            #expect(try await test.store.hooks(of: tenant.id) == [hook])
            #expect(try await test.store.hook(hook.id) == hook)
            #expect(try await test.store.address(address.id, of: tenant.id) == address)
        }
    }

    @Test("a hook's last use and its settings stay, until the hook goes", arguments: StoreBackend.allCases)
    func lastUse(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            var hook = Hook.fixture(of: tenant)
            hook.settings = HookSettings(mapping: #"{"url":"/a"}"#, expiresAt: .noon + 5, scopes: [.send])
            try await test.store.add(hook)
            #expect(try await test.store.lastUses(ofHooksOf: tenant.id).isEmpty)
            try await test.store.noteUse(of: hook.id, at: .noon)
            try await test.store.noteUse(of: hook.id, at: .noon + 60)
            try await test.crash(reopenAt: .noon + 60)
            #expect(try await test.store.lastUses(ofHooksOf: tenant.id) == [hook.id: .noon + 60])
            #expect(try await test.store.hook(hook.id)?.settings == hook.settings)
        }
    }

    @Test("an address is found by its hash until it expires", arguments: StoreBackend.allCases)
    func expiry(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let hash = SHA256.hash("token")
            let address = Address.fixture(of: tenant, hash: hash, expiresAt: .noon + 100)
            try await test.store.add(address)
            #expect(try await test.store.address(tokenHash: hash, now: .noon + 99) == address)
            #expect(try await test.store.address(tokenHash: hash, now: .noon + 100) == nil)
            #expect(try await test.store.address(tokenHash: SHA256.hash("other"), now: .noon) == nil)
        }
    }

    @Test("a taken slug, a taken token and a second server of one URL are conflicts", arguments: StoreBackend.allCases)
    func conflicts(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant("ada")
            await #expect(throws: StoreError(.conflict)) {
                try await test.store.add(.fixture("ada", on: server), on: server)
            }
            let twin = Server.fixture(server.baseURL)
            await #expect(throws: StoreError(.conflict)) {
                try await test.store.add(.fixture("bob", on: twin), on: twin)
            }
            #expect(try await test.store.tenants().map(\.slug) == ["ada"])
            try await test.store.add(Address.fixture(of: ada))
            await #expect(throws: StoreError(.conflict)) { try await test.store.add(Address.fixture(of: ada)) }
            #expect(try await test.store.addresses(of: ada.id).count == 1)
            #expect(try await test.store.recordsPerKey() == ["k1": 2])
        }
    }

    @Test("removing an entrance ends it at once, its old messages stay", arguments: StoreBackend.allCases)
    func removedEntrances(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let (address, hook) = (Address.fixture(of: tenant), Hook.fixture(of: tenant))
            try await test.store.add(address)
            try await test.store.add(hook)
            #expect(try await test.store.hook(hook.id) == hook)
            #expect(try await test.store.address(tokenHash: address.tokenHash, now: .noon) == address)
            let message = try await test.store.accept(.fixture(of: tenant, by: .hook(hook.id))).message
            try await test.store.remove(hook.id, of: tenant.id)
            try await test.store.remove(address.id, of: tenant.id)
            #expect(try await test.store.hook(hook.id) == nil)
            #expect(try await test.store.address(tokenHash: address.tokenHash, now: .noon) == nil)
            #expect(try await test.store.address(address.id, of: tenant.id) == nil)
            #expect(try await test.store.hooks(of: tenant.id).isEmpty)
            #expect(try await test.store.recordsPerKey() == ["k1": 1])
            #expect(try await test.store.message(message)?.route == .hook(hook.id))
            await #expect(throws: StoreError(.notFound, "hook")) { try await test.store.remove(hook.id, of: tenant.id) }
        }
    }

    @Test("what belongs to another tenant is not found", arguments: StoreBackend.allCases)
    func isolation(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant("ada")
            let (bob, _) = try await test.store.addTenant("bob", on: server)
            let (address, hook) = (Address.fixture(of: bob), Hook.fixture(of: bob))
            try await test.store.add(address)
            try await test.store.add(hook)
            await #expect(throws: StoreError(.notFound, "address")) {
                try await test.store.remove(address.id, of: ada.id)
            }
            await #expect(throws: StoreError(.notFound, "hook")) { try await test.store.remove(hook.id, of: ada.id) }
            #expect(try await test.store.address(address.id, of: ada.id) == nil)
            #expect(try await test.store.addresses(of: bob.id) == [address])
            #expect(try await test.store.hook(hook.id)?.tenant == bob.id)
            try await test.store.enqueue([.link(0)], for: bob)
            let all = Set(Item.State.allCases)
            #expect(try await test.store.items(of: ada.id, in: all, newest: 10).isEmpty)
            #expect(try await test.store.messages(of: ada.id, newest: 10).isEmpty)
            let unknown = Tenant.fixture("nobody", on: server)
            await #expect(throws: StoreError(.notFound, "tenant")) { try await test.store.update(unknown, on: server) }
            await #expect(throws: StoreError(.notFound, "tenant")) { try await test.store.remove(unknown.id) }
            await #expect(throws: StoreError(.notFound, "tenant")) {
                try await test.store.stopTenant(unknown.id, reason: "x")
            }
        }
    }

    @Test("a changed tenant is seen at once, a changed token replaces the old record", arguments: StoreBackend.allCases)
    func updates(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            var (tenant, server) = try await test.store.addTenant()
            #expect(try await test.store.tenant(tenant.id) == tenant)
            tenant.token = .fixture(key: "k2")
            tenant.slug = "lovelace"
            tenant.board = nil
            server.allowsPrivateNetwork = true
            try await test.store.update(tenant, on: server)
            #expect(try await test.store.tenant(tenant.id) == tenant)
            #expect(try await test.store.server(server.id)?.allowsPrivateNetwork == true)
            #expect(try await test.store.recordsPerKey() == ["k2": 1])
            tenant.token = nil
            try await test.store.update(tenant, on: server)
            #expect(try await test.store.tenant(tenant.id)?.token == nil)
            #expect(try await test.store.recordsPerKey().isEmpty)
        }
    }

    @Test(
        "on a new server no item names a pin of the old one, whatever became of it", arguments: StoreBackend.allCases)
    func movingPins(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            var (tenant, _) = try await test.store.addTenant()
            let items = [NewItem.link(0), .link(1)]
            let replacement = Replacement(picture: "https://example.org/b.png", pin: PinID(21), floor: PinID(3))
            for item in items {
                try await test.store.enqueue([item], for: tenant)
                for round in 0..<2 {
                    let lease = try await test.store.lease(at: .noon + Double(round))
                    try await test.store.bring(item.id, to: .board, under: lease)
                    _ = try await test.store.take(.deliver, lease)
                    try await test.store.settle(item.id, as: .done(note: nil), under: lease, now: .noon)
                    try await test.store.release(lease, now: .noon)
                    if round == 0 { try await test.store.replace(item.id, with: replacement, now: .noon) }
                }
            }
            try await test.store.replace(items[1].id, with: replacement, now: .noon)
            try await test.store.cancel(items[1].id, now: .noon)
            let new = Server.fixture("https://new.example")
            tenant.server = new.id
            try await test.store.update(tenant, on: new)
            for item in items {
                let moved = try #require(try await test.store.item(item.id))
                #expect(moved.facts.pin == nil && moved.draft.replacement == nil)
            }
        }
    }

    @Test(
        "an entrance that was changed meanwhile is not overwritten with what it was", arguments: StoreBackend.allCases)
    func changedMeanwhile(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let hook = Hook.fixture(of: tenant)
            try await test.store.add(hook)
            var (rotated, labelled) = (hook, hook)
            rotated.tokens.removeFirst()
            labelled.defaults.label = "camera"
            #expect(try await test.store.update(rotated, insteadOf: hook))
            #expect(try await !test.store.update(labelled, insteadOf: hook))
            #expect(try await test.store.hook(hook.id) == rotated)

            let address = Address.fixture(of: tenant)
            try await test.store.add(address)
            var (moved, tagged) = (address, address)
            moved.tokenHash = SHA256.hash("another")
            tagged.defaults.tags = ["sea"]
            #expect(try await test.store.update(moved, insteadOf: address))
            #expect(try await !test.store.update(tagged, insteadOf: address))
            #expect(try await test.store.address(address.id, of: tenant.id) == moved)
        }
    }

    @Test(
        "a tenant that was changed meanwhile is not overwritten, and of a server only what was changed is written",
        arguments: StoreBackend.allCases)
    func tenantChangedMeanwhile(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, server) = try await test.store.addTenant()
            var (chatty, trusting, limited) = (tenant, server, server)
            chatty.preferences.replies = .never
            trusting.allowsPrivateNetwork.toggle()
            limited.uploadLimit = 400_000
            try await test.store.stopTenant(tenant.id, reason: "no token")
            let isStored = try await test.store.update(
                chatty, insteadOf: tenant, on: trusting, changedFrom: server)
            #expect(!isStored)
            let stopped = try #require(try await test.store.tenant(tenant.id))
            #expect(stopped.status == .stopped(reason: "no token") && stopped.preferences == tenant.preferences)
            #expect(try await test.store.server(server.id) == server)

            for changed in [trusting, limited] {
                #expect(
                    try await test.store.update(stopped, insteadOf: stopped, on: changed, changedFrom: server))
            }
            trusting.uploadLimit = 400_000
            #expect(try await test.store.server(server.id) == trusting)
            try await test.store.add(.fixture("bob", on: server), on: server, changedFrom: server)
            #expect(try await test.store.server(server.id) == trusting)
        }
    }

    @Test(
        "on a new server waiting items start with the upload, those in doubt are parked",
        arguments: StoreBackend.allCases)
    func movingServers(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            var (tenant, old) = try await test.store.addTenant()
            let uploaded = NewItem.image(0)
            let first = try await test.store.enqueue([uploaded], for: tenant)
            let lease = try await test.store.lease()
            try await test.store.bring(uploaded.id, to: .pin, under: lease)
            let doubtful = NewItem.link(0)
            try await test.store.settle(
                try #require(try await test.store.take(.deliver, lease).first).id,
                as: .retry(at: .noon + 5, reason: "x"), under: lease, now: .noon)
            try await test.store.enqueue([doubtful], for: tenant)
            try await test.store.bring(doubtful.id, to: .pin, under: lease)
            _ = try await test.store.take(.deliver, lease)

            let new = Server.fixture("https://new.example")
            tenant.server = new.id
            tenant.board = Board(id: BoardID(50), name: "New", isPrivate: false)
            try await test.store.update(tenant, on: new)
            #expect(try await test.store.server(old.id) == nil)
            let parked = try #require(try await test.store.item(doubtful.id))
            #expect(parked.state == .parked)
            #expect(parked.reason?.contains("may be pinned") == true)
            let next = try await test.store.lease(at: .noon + 5)
            #expect(next.server.id == new.id)
            let again = try #require(try await test.store.take(.deliver, next, at: .noon + 5).first)
            #expect(again.id == uploaded.id)
            #expect(again.step == .upload)
            #expect(again.server == new.id)
            #expect(again.facts.image == nil)
            #expect(again.draft.destination == .board(BoardID(50)))
            #expect(try await test.store.message(first)?.state == .delivering)
        }
    }

    @Test("a removed tenant leaves nothing, the others keep everything", arguments: StoreBackend.allCases)
    func removing(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant("ada")
            let (bob, _) = try await test.store.addTenant("bob", on: server)
            try await test.store.add(Address.fixture(of: ada))
            try await test.store.add(Hook.fixture(of: ada))
            let picture = try test.store.put(largePicture)
            let gone = try await test.store.enqueue([.image(0, picture)], for: ada)
            let kept = try await test.store.enqueue([.link(0)], for: bob)
            try await test.store.remember(
                [Board(id: BoardID(1), name: "B", isPrivate: false)], of: ada.id, readAt: .noon)
            try await test.store.remove(ada.id)
            #expect(try await test.store.tenant(ada.id) == nil)
            #expect(try await test.store.message(gone) == nil)
            #expect(try await test.store.items(of: gone).isEmpty)
            #expect(try await test.store.boards(of: ada.id) == nil)
            #expect(throws: StoreError.self) { try test.store.open(picture) }
            #expect(try await test.store.recordsPerKey() == ["k1": 1])
            #expect(try await test.store.items(of: kept).count == 1)
            #expect(try await test.store.take(.prepare, try await test.store.lease()).map(\.tenant) == [bob.id])
            try await test.store.remove(bob.id)
            #expect(try await test.store.server(server.id) == nil)
        }
    }

    @Test("boards are remembered with the time of their reading", arguments: StoreBackend.allCases)
    func boards(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            #expect(try await test.store.boards(of: tenant.id) == nil)
            for (name, time) in [("First", Date.noon), ("Zweites ü", .noon + 50)] {
                let boards = [Board(id: BoardID(4), name: name, isPrivate: true)]
                try await test.store.remember(boards, of: tenant.id, readAt: time)
                let known = try #require(try await test.store.boards(of: tenant.id))
                #expect(known.boards == boards)
                #expect(known.readAt == time)
            }
            await #expect(throws: StoreError(.notFound)) {
                try await test.store.remember([], of: makeID(), readAt: .noon)
            }
        }
    }

    @Test("the instance id and the check values stay", arguments: StoreBackend.allCases)
    func keys(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let id = try await test.store.instanceID()
            #expect(id.count == 16)
            #expect(try await test.store.keyCheckValues().isEmpty)
            try await test.store.addKeyCheckValue([1, 2, 3], for: "k1")
            await #expect(throws: StoreError(.conflict)) { try await test.store.addKeyCheckValue([9], for: "k1") }
            try await test.crash(reopenAt: .noon)
            #expect(try await test.store.instanceID() == id)
            #expect(try await test.store.keyCheckValues() == ["k1": [1, 2, 3]])
        }
    }
}
