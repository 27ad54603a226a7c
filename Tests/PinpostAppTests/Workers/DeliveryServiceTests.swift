import Cryptography
import CurlKit
import FoundationEssentials
import PinpostCore
import PinpostTesting
import PinryClient
import StoreSQLite
import Synchronization
import Testing

@testable import PinpostApp

@Suite("The workers that deliver", .timeLimit(.minutes(10)))
struct DeliveryServiceTests {
    @Test(
        "slow links of one tenant hold up neither a picture nor a quick link of another", arguments: [true, false])
    func slowLinks(onOneServer: Bool) async throws {
        try await Works.open { works in
            let ada = try await works.addTenant("ada")
            let bob = try await works.addTenant("bob", on: onOneServer ? ada.server : nil)
            let slow = try await works.enqueue(
                (0..<40).map { .link(FoundLink(url: "https://slow.example/\($0)")) }, for: ada)
            try await works.run {
                await works.sites.wait(for: 8)
                let quick = try await works.enqueue(
                    [.link(FoundLink(url: "https://quick.example/")), works.picture()], for: bob)
                try await works.waitUntilDone(quick)
                // Half of the slots, whatever she has queued.
                #expect(works.sites.waiting == 8)
                works.sites.open()
                try await works.waitUntilDone(slow)
            }
        }
    }

    @Test("more links than may wait for their upload fail, and others are served all the same")
    func failingLinks() async throws {
        try await Works.open { works in
            let ada = try await works.addTenant("ada")
            let bob = try await works.addTenant("bob", on: ada.server)
            _ = try await works.enqueue([.link(FoundLink(url: "https://slow.example/"))], for: ada)
            _ = try await works.enqueue(
                (0..<40).map { .link(FoundLink(url: "https://broken.example/\($0)")) }, for: ada)
            try await works.run {
                await works.sites.wait(for: 1)
                await works.sites.waitForFailures(40)
                try await works.waitUntilDone(try await works.enqueue([works.picture()], for: bob))
                works.sites.open()
            }
        }
    }

    @Test("what waits for its turn when the stop is asked for is given back untried")
    func stop() async throws {
        try await Works.open(fetches: 1) { works in
            let ada = try await works.addTenant("ada")
            let bob = try await works.addTenant("bob", on: ada.server)
            _ = try await works.enqueue([.link(FoundLink(url: "https://slow.example/"))], for: ada)
            let items = try await works.enqueue([.link(FoundLink(url: "https://quick.example/"))], for: bob)
            try await works.run {
                await works.sites.wait(for: 1)
                while !works.fetches.sated.contains(bob.id), !Task.isCancelled { await Task.yield() }
                works.shutdown.request()
                works.sites.open()
            }
            let item = try #require(try await works.store.item(items[0]))
            #expect(item.state == .ready && item.step == .prepare && item.attempt == 0)
        }
    }
}

/// A real store, Pinry doubles and the delivery service; only the sites behind links are the test's.
private final class Works: Sendable {
    let store: SQLiteStore
    let vault: Vault
    let sites = Sites()
    let shutdown = Shutdown()
    let fetches: SharedSlots
    private let pinries = Mutex<[PinryDouble]>([])

    static func open(fetches: Int = 16, _ body: (Works) async throws -> Void) async throws {
        var random = SystemRandom()
        let folder = "/tmp/pinpost-works-\(Identifier<Works>.random(using: &random))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await SQLiteStore.open(in: folder, now: Date.now)
        let ring = try KeyRing.load(from: KeySources(dataFolder: folder), checkValues: [:], needed: [], using: &random)
        let works = Works(store, Vault(ring: ring.ring, instanceID: try await store.instanceID()), fetches: fetches)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(works)) } catch { outcome = .failure(error) }
        await store.close()
        for pinry in works.pinries.withLock({ $0 }) { pinry.stop() }
        try outcome.get()
    }

    private init(_ store: SQLiteStore, _ vault: Vault, fetches: Int) {
        self.store = store
        self.vault = vault
        self.fetches = SharedSlots(fetches)
    }

    private var surroundings: Surroundings { Surroundings(now: { Date.now }, random: { SystemRandom() }) }

    func addTenant(_ name: String, on shared: Server.ID? = nil) async throws -> Tenant {
        let pinry = try pinries.withLock { pinries in
            if shared == nil { pinries.append(try PinryDouble()) }
            return try #require(pinries.last)
        }
        pinry.addUser(name, token: "\(name)-token")
        let id: Tenant.ID = surroundings.makeID()
        let server = Server(id: shared ?? surroundings.makeID(), baseURL: pinry.url, allowsPrivateNetwork: true)
        let tenant = Tenant(
            id: id, slug: name, server: server.id, username: name,
            token: try vault.seal(Secret(copying: Array("\(name)-token".utf8)), for: .pinryToken, of: id),
            createdAt: Date.now)
        try await store.add(tenant, on: server)
        return tenant
    }

    func picture() throws -> Item.Kind { .image(try store.store(TestPicture.png(seed: 7)), name: "a.png") }

    func enqueue(_ kinds: [Item.Kind], for tenant: Tenant) async throws -> [Item.ID] {
        var random = SystemRandom()
        let items = kinds.enumerated().map { sequence, kind in
            NewItem(
                id: .random(using: &random), sequence: sequence, kind: kind, draft: PinDraft(description: "a pin"))
        }
        let message = ReceivedMessage(
            id: .random(using: &random), tenant: tenant.id, route: .command, source: .command,
            deliveryKey: random.bytes(32), body: try store.store(Array("body".utf8)), envelope: Envelope(),
            receivedAt: Date.now)
        _ = try await store.accept(message)
        _ = try await store.takeAccepted(upTo: 1, now: Date.now)
        try await store.split(message.id, into: items, skipped: [], note: nil, now: Date.now)
        return items.map(\.id)
    }

    /// Runs the service during `body`; the sites answer at its end, whatever it brings.
    func run(_ body: () async throws -> Void) async throws {
        let service = try service()
        let running = Task { try await service.run(until: shutdown) }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        sites.open()
        shutdown.request()
        try await running.value
        try outcome.get()
    }

    func waitUntilDone(_ items: [Item.ID]) async throws {
        for id in items {
            while true {
                let generation = store.messagesFinished.generation
                if try await store.item(id)?.state == .done { break }
                await store.messagesFinished.wait(after: generation, upTo: Patience.limit)
                try #require(store.messagesFinished.generation > generation, "an item is held up")
            }
        }
    }

    private func service() throws -> DeliveryService {
        let (store, surroundings) = (store, surroundings)
        let (remote, accounts) = (
            RemotePinry(try HTTPClient(blobs: store)), AccountBook(directory: store, keeper: vault)
        )
        let boards = BoardCatalog(directory: store, accounts: accounts, pinry: remote)
        let runner = StepRunner(
            queue: store, directory: store, prepare: PrepareStep(converter: Unchanged(), links: sites, memory: store),
            pinry: PinrySteps(pinry: remote, accounts: accounts, boards: boards, surroundings: surroundings),
            quiet: 60, surroundings: surroundings, logger: .silent)
        let worker = ServerWorker(
            runner: runner, queue: store, pictures: SharedSlots(12), fetches: fetches, arrivals: store.itemsArrived,
            surroundings: surroundings, logger: .silent)
        return DeliveryService(
            worker: worker, queue: store, arrivals: store.itemsArrived, surroundings: surroundings, logger: .silent)
    }
}

/// Slow sites answer once the test opens them, broken ones fail, others answer at once.
private final class Sites: LinkPictures {
    private struct State {
        var waiting = 0
        var failures = 0
    }

    private let state = Mutex(State())
    private let changed = Signal()
    private let opened = Shutdown()

    var waiting: Int { state.withLock { $0.waiting } }
    func open() { opened.request() }
    func wait(for count: Int) async { await wait { $0.waiting >= count } }
    func waitForFailures(_ count: Int) async { await wait { $0.failures >= count } }

    private func wait(_ isThere: (State) -> Bool) async {
        var generation = changed.generation
        while !state.withLock({ isThere($0) }) {
            await changed.wait(after: generation, upTo: Patience.limit)
            guard changed.generation > generation else { return }
            generation = changed.generation
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        changed.fire()
    }

    func picture(of link: FoundLink) async throws(LinkError) -> LinkPicture {
        if link.url.contains("broken") {
            change { $0.failures += 1 }
            throw LinkError(.failed, "broken")
        }
        if link.url.contains("slow") {
            change { $0.waiting += 1 }
            await opened.wait()
        }
        return LinkPicture(.image(stored(1)))
    }

    func picture(at _: String, from _: String) async throws(LinkError) -> StoredBytes { stored(2) }

    private func stored(_ seed: Int) -> StoredBytes {
        let bytes = TestPicture.png(seed: seed)
        return StoredBytes(place: .inline(bytes), count: bytes.count, sha256: SHA256.hash(bytes))
    }
}

private struct Unchanged: PictureConverter {
    func convert(_ picture: StoredBytes, _: ConversionOptions) async throws(MediaError) -> ConvertedPicture {
        let shape = ConvertedPicture.Shape(type: .png, width: 8, height: 8)
        return ConvertedPicture(bytes: picture, shape: shape, original: shape, actions: [])
    }

    func card(_: CardText) async throws(MediaError) -> ConvertedPicture { throw MediaError(.unavailable, "none") }
}
