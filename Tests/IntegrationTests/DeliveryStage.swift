import Cryptography
import CurlKit
import FoundationEssentials
import PinpostCore
import PinpostTesting
import PinryClient
import StoreSQLite
import Synchronization
import Testing

/// The real store, the real client and a Pinry double, driven step by step with a clock that the test moves.
final class DeliveryStage: Sendable {
    static let quiet: TimeInterval = 60

    let pinry: PinryDouble
    let clock = TestClock()
    let meter = Meter()
    let places = ServerPlaces()
    let folder: String
    let tenant: Tenant
    let server: Server
    private let opened: Mutex<SQLiteStore>
    let vault: Vault

    private let converter: @Sendable (SQLiteStore) -> any PictureConverter

    /// Runs `body` with one tenant, `ada`, whose pins go to her board Trips.
    static func open(
        dialect: Server.Dialect = .v2, isPrivate: Bool = false,
        converter: @escaping @Sendable (SQLiteStore) -> any PictureConverter = { _ in PassingConverter() },
        _ body: (DeliveryStage) async throws -> Void
    ) async throws {
        let stage = try await DeliveryStage(dialect: dialect, isPrivate: isPrivate, converter)
        do {
            try await body(stage)
        } catch {
            await stage.end()
            throw error
        }
        await stage.end()
    }

    private init(
        dialect: Server.Dialect, isPrivate: Bool,
        _ converter: @escaping @Sendable (SQLiteStore) -> any PictureConverter
    ) async throws {
        self.converter = converter
        var random = SystemRandom()
        folder = "/tmp/pinpost-delivery-\(Identifier<DeliveryStage>.random(using: &random))"
        var options = PinryDouble.Options()
        options.dialect = dialect
        pinry = try PinryDouble(options)
        pinry.addUser("ada", token: "ada-token")
        let board = Board(
            id: pinry.addBoard("Trips", of: "ada", isPrivate: isPrivate), name: "Trips", isPrivate: isPrivate)
        let store = try await SQLiteStore.open(in: folder, now: clock.now, quiet: Self.quiet)
        opened = Mutex(store)
        let loaded = try KeyRing.load(
            from: KeySources(dataFolder: folder), checkValues: [:], needed: [], using: &random)
        vault = Vault(ring: loaded.ring, instanceID: try await store.instanceID())
        let id = Tenant.ID.random(using: &random)
        server = Server(
            id: .random(using: &random), baseURL: pinry.url, dialect: dialect, allowsPrivateNetwork: true)
        tenant = Tenant(
            id: id, slug: "ada", server: server.id, username: "ada",
            token: try vault.seal(Secret(copying: Array("ada-token".utf8)), for: .pinryToken, of: id), board: board,
            createdAt: clock.now)
        try await store.add(tenant, on: server)
        try await store.remember([board], of: id, readAt: clock.now)
    }

    var store: SQLiteStore { opened.withLock { $0 } }

    private func end() async {
        await store.close()
        pinry.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The process dies without a word and starts again.
    func crash() async throws {
        await store.abandon()
        let store = try await SQLiteStore.open(in: folder, now: clock.now, quiet: Self.quiet)
        opened.withLock { $0 = store }
    }

    /// A message whose pictures are already split into items; their ids.
    func enqueue(_ count: Int = 1, _ change: (inout PinDraft) -> Void = { _ in }) async throws -> [Item.ID] {
        var random = SystemRandom()
        let seeds = (0..<count).map { _ in Int.random(in: 0..<(1 << 24), using: &random) }
        return try await enqueue(seeds.map { TestPicture.png(seed: $0) }, change)
    }

    /// The same with given pictures.
    func enqueue(_ pictures: [[UInt8]], _ change: (inout PinDraft) -> Void = { _ in }) async throws -> [Item.ID] {
        var random = SystemRandom()
        var items: [NewItem] = []
        for (sequence, bytes) in pictures.enumerated() {
            var draft = PinDraft(description: "pin \(sequence)", destination: .board(try #require(tenant.board).id))
            change(&draft)
            let picture = try store.store(bytes)
            items.append(
                NewItem(
                    id: .random(using: &random), sequence: sequence, kind: .image(picture, name: "a.png"), draft: draft)
            )
        }
        try await accept(items)
        return items.map(\.id)
    }

    /// A message with a link, split already.
    func enqueueLink(_ url: String) async throws -> Item.ID {
        var random = SystemRandom()
        let draft = PinDraft(
            description: "a page", source: url, destination: .board(try #require(tenant.board).id))
        let item = NewItem(id: .random(using: &random), sequence: 0, kind: .link(FoundLink(url: url)), draft: draft)
        try await accept([item])
        return item.id
    }

    private func accept(_ items: [NewItem]) async throws {
        var random = SystemRandom()
        let message = ReceivedMessage(
            id: .random(using: &random), tenant: tenant.id, route: .command, source: .command,
            deliveryKey: random.bytes(32), body: try store.store(Array("body".utf8)), envelope: Envelope(),
            receivedAt: clock.now)
        _ = try await store.accept(message)
        _ = try await store.takeAccepted(upTo: 1, now: clock.now)
        try await store.split(message.id, into: items, skipped: [], note: nil, now: clock.now)
    }

    /// Works piece by piece until an item waits for that step.
    func work(on id: Item.ID, until step: Item.Step) async throws {
        let runner = try runner()
        let lease = try #require(
            try await store.leaseServers(upTo: 1, now: clock.now, until: clock.now + 60).first)
        for _ in 0..<10 {
            for lane in Lane.allCases where try await item(id).step < step {
                let items = try await runner.take(lane, from: lease)
                try await runner.perform(items, under: lease)
            }
        }
        try await store.release(lease, now: clock.now)
    }

    /// Works until nothing is due at this moment.
    func work(files: any ProviderFiles = NoProviderFiles()) async throws {
        let runner = try runner(files: files)
        while let lease = try await store.leaseServers(upTo: 1, now: clock.now, until: clock.now + 60).first {
            var isBusy = true
            while isBusy {
                isBusy = false
                for lane in Lane.allCases {
                    let items = try await runner.take(lane, from: lease)
                    guard !items.isEmpty else { continue }
                    try await runner.perform(items, under: lease)
                    isBusy = true
                }
            }
            try await store.release(lease, now: clock.now)
        }
    }

    /// Takes the next piece of work for Pinry and leaves it running, as a process does that dies in the middle.
    func takeAndForget() async throws -> [Item] {
        let lease = try #require(
            try await store.leaseServers(upTo: 1, now: clock.now, until: clock.now + 60).first)
        return try await runner().take(.deliver, from: lease)
    }

    var accounts: AccountBook { AccountBook(directory: store, keeper: vault) }
    var remote: RemotePinry { get throws { RemotePinry(try HTTPClient(blobs: store)) } }
    var surroundings: Surroundings { Surroundings(now: { [clock] in clock.now }, random: { SystemRandom() }) }

    var memory: CheckedPinMemory {
        get throws { CheckedPinMemory(store, accounts: accounts, pinry: try remote, places: places) }
    }

    func runner(files: any ProviderFiles = NoProviderFiles()) throws -> StepRunner {
        let (store, accounts, remote) = (store, accounts, try remote)
        let boards = BoardCatalog(directory: store, accounts: accounts, pinry: remote)
        return StepRunner(
            queue: store, directory: store,
            prepare: PrepareStep(
                converter: converter(store), links: PictureEverywhere(),
                memory: try memory, files: files),
            pinry: PinrySteps(pinry: remote, accounts: accounts, boards: boards, surroundings: surroundings),
            quiet: Self.quiet, surroundings: surroundings, logger: .silent, meter: meter,
            places: places)
    }

    func item(_ id: Item.ID) async throws -> Item { try #require(try await store.item(id)) }
}

/// Time stands until a test moves it.
final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_750_000_000))

    var now: Date { time.withLock { $0 } }
    func move(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// Pictures are not this suite's subject: they pass as they are.
struct PassingConverter: PictureConverter {
    func convert(
        _ picture: StoredBytes, _ options: ConversionOptions
    ) async throws(MediaError) -> ConvertedPicture {
        let shape = ConvertedPicture.Shape(type: .png, width: 8, height: 8)
        return ConvertedPicture(bytes: picture, shape: shape, original: shape, actions: [])
    }

    func card(_ text: CardText) async throws(MediaError) -> ConvertedPicture {
        throw MediaError(.unavailable, "no cards here")
    }
}

/// Every page has a picture, and the one that is asked for is there.
struct PictureEverywhere: LinkPictures {
    func picture(of link: FoundLink) async throws(LinkError) -> LinkPicture {
        LinkPicture(.image(Self.stored(1)))
    }

    func picture(at address: String, from page: String) async throws(LinkError) -> StoredBytes { Self.stored(2) }

    private static func stored(_ seed: Int) -> StoredBytes {
        let bytes = TestPicture.png(seed: seed)
        return StoredBytes(place: .inline(bytes), count: bytes.count, sha256: SHA256.hash(bytes))
    }
}
