import Cryptography
import FoundationEssentials
import Glibc
import Hooks
import PinpostCore
import PinpostTesting
import StoreSQLite
import Synchronization
import Testing
import Web

/// One tenant with two hooks, and one with a mapping, in a real store.
struct ServiceFixture: Sendable {
    static let noon = Date(timeIntervalSince1970: 1_750_000_000)

    let store: SQLiteStore
    let folder: String
    let sink: FaultySink
    let tenant: Tenant
    let token: HookToken
    let otherToken: HookToken

    fileprivate init(in folder: String) async throws {
        self.folder = folder
        store = try await SQLiteStore.open(in: folder, now: Self.noon)
        sink = FaultySink(store)
        var random = SystemRandom()
        token = .random(using: &random)
        otherToken = .random(using: &random)
        let server = Server(id: .random(using: &random), baseURL: "https://pinry.example.org")
        tenant = Tenant(id: .random(using: &random), slug: "ada", server: server.id, createdAt: Self.noon)
        try await store.add(tenant, on: server)
        let mapping = #"{"url":["/payload/url","/value1"],"title":"/topic","description":"/value2","board":"/value3"}"#
        let hooks = [("hook1", token, nil), ("hook2", otherToken, nil), ("mapped", token, mapping)]
        for (id, token, mapping) in hooks {
            try await store.add(
                Hook(
                    id: .init(id), tenant: tenant.id, tokenHashes: [token.hash], defaults: EntranceDefaults(),
                    createdAt: Self.noon, settings: HookSettings(mapping: mapping)))
        }
    }

    func received() async throws -> [Message] { try await store.messages(of: tenant.id, newest: 100) }

    /// Bodies that lie in the spool.
    var spooledCount: Int { TestFolder.files(below: folder + "/spool").count }

    /// Waits until a message has arrived and brings it to a pin, as the workers would.
    func pinNext() async throws -> Message.ID {
        var taken: [Message] = []
        while taken.isEmpty {
            let generation = store.messagesArrived.generation
            taken = try await store.takeAccepted(upTo: 1, now: Self.noon)
            if taken.isEmpty { await store.messagesArrived.wait(after: generation, upTo: .seconds(120)) }
        }
        let message = taken[0].id
        let url = "https://example.org/a.jpg"
        let item = NewItem(
            id: .init("item1"), sequence: 0, kind: .link(FoundLink(url: url)), draft: PinDraft(description: "d"))
        let skipped = SkippedPart(.link, name: "ftp://x", reason: "not a link with http or https")
        try await store.split(message, into: [item], skipped: [skipped], note: nil, now: Self.noon)
        try await pin(item.id)
        return message
    }

    private func pin(_ item: Item.ID) async throws {
        let lease = try #require(
            try await store.leaseServers(upTo: 1, now: Self.noon, until: Self.noon + 60).first)
        let picture = StoredBytes(place: .inline([1]), count: 1, sha256: SHA256.hash([1]))
        let steps: [(Lane, Item.Step, StepFacts)] = [
            (.prepare, .upload, .prepared(PreparedPicture(bytes: picture, type: .jpeg))),
            (.deliver, .pin, .uploaded(ImageID(5), floor: PinID(1), thumbnail: "/media/a/b.jpg")),
            (.deliver, .board, .pinned(PinID(7), board: BoardID(1))),
        ]
        for (lane, next, facts) in steps {
            _ = try await store.take(lane, from: lease, now: Self.noon, retry: RetryPolicy())
            try await store.advance(item, to: next, learning: facts, under: lease, now: Self.noon)
        }
        _ = try await store.take(.deliver, from: lease, now: Self.noon, retry: RetryPolicy())
        try await store.settle(item, as: .done(note: nil), under: lease, now: Self.noon)
    }
}

/// The store's sink, until it is told to fail.
final class FaultySink: MessageSink {
    private let sink: any MessageSink
    private let failure = Mutex<StoreError?>(nil)

    init(_ sink: any MessageSink) { self.sink = sink }

    func fail(with error: StoreError) { failure.withLock { $0 = error } }

    func accept(_ message: ReceivedMessage) async throws(StoreError) -> Acceptance {
        if let failure = failure.withLock({ $0 }) { throw failure }
        return try await sink.accept(message)
    }
}

extension HookToken {
    var shown: String { text.withBytes { String(decoding: $0, as: UTF8.self) } }
}

/// The whole service over a real store in a folder of its own.
func withService<Result: Sendable>(
    health: HealthChecks = HealthChecks(), publicURL: String? = nil, logger: Logger = .silent,
    limits: RequestLimits = RequestLimits(), _ body: (TestServer, ServiceFixture) async throws -> Result
) async throws -> Result {
    let folder = try TestFolder("web")
    defer { withExtendedLifetime(folder) {} }
    let fixture = try await ServiceFixture(in: folder.path)
    let shutdown = Shutdown()
    let allowance = TenantAllowance(bytesPerDay: limits.bytesPerTenantAndDay)
    let service = WebService(
        WebService.Ports(
            directory: fixture.store, sink: ChargingSink(fixture.sink, to: allowance), history: fixture.store,
            blobs: fixture.store,
            pool: BlockingPool(width: 2),
            surroundings: Surroundings(now: { ServiceFixture.noon }, random: { SystemRandom() }), health: health,
            logger: logger, publicURL: publicURL,
            providers: ProviderDesk(
                keeper: PlainKeeper(), blobs: fixture.store, pool: BlockingPool(width: 1), http: NoHTTP()),
            limits: limits, allowance: allowance),
        until: shutdown)
    do {
        let result = try await withServer(blobs: fixture.store, shutdown: shutdown, handler: service) { server in
            try await body(server, fixture)
        }
        await fixture.store.close()
        return result
    } catch {
        await fixture.store.close()
        throw error
    }
}
