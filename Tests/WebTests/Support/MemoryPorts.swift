import Cryptography
import FoundationEssentials
import PinpostCore
import Synchronization
import Testing
import Web

/// One tenant with two hooks, and what was accepted for them; a double at the ports alone.
final class MemoryPorts: TenantDirectory, MessageSink, MessageHistory {
    struct State {
        var messages: [Message.ID: Message] = [:]
        var items: [Message.ID: [Item]] = [:]
        var deliveries: [[UInt8]: Message.ID] = [:]
        var failure: StoreError?
    }

    let token: HookToken
    let otherToken: HookToken
    let hook: Hook
    let otherHook: Hook
    private let server = Server(id: .init("server"), baseURL: "https://pinry.example.org")
    private let state = Mutex(State())
    private let changed = Signal()

    init() {
        var random = SystemRandom()
        token = .random(using: &random)
        otherToken = .random(using: &random)
        hook = Self.hook("hook1", token)
        otherHook = Self.hook("hook2", otherToken)
    }

    private static func hook(_ id: String, _ token: HookToken) -> Hook {
        Hook(
            id: .init(id), tenant: .init("ada"), tokenHashes: [token.hash], defaults: EntranceDefaults(),
            createdAt: .distantPast)
    }

    var received: [Message] { state.withLock { Array($0.messages.values) } }

    func fail(with error: StoreError?) { state.withLock { $0.failure = error } }

    /// Settles a message as the delivery would.
    func finish(_ id: Message.ID, as finished: Message.State, items: [Item] = []) {
        state.withLock { state in
            state.items[id] = items
            state.messages[id] = state.messages[id].map { $0.with(state: finished) }
        }
        changed.fire()
    }

    private func check() throws(StoreError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    // MARK: - MessageSink

    func accept(_ message: ReceivedMessage) async throws(StoreError) -> Acceptance {
        try check()
        return state.withLock { state in
            if let known = state.deliveries[message.deliveryKey] { return Acceptance(message: known, isRepeat: true) }
            state.deliveries[message.deliveryKey] = message.id
            state.messages[message.id] = Message(
                id: message.id, tenant: message.tenant, route: message.route, source: message.source,
                body: message.body, envelope: message.envelope, state: .accepted, reason: nil, skipped: [],
                receivedAt: message.receivedAt)
            return Acceptance(message: message.id, isRepeat: false)
        }
    }

    // MARK: - TenantDirectory

    func tenant(_ id: Tenant.ID) async throws(StoreError) -> Tenant? { nil }
    func server(_ id: Server.ID) async throws(StoreError) -> Server? { id == server.id ? server : nil }
    func address(tokenHash: [UInt8], now: Date) async throws(StoreError) -> Address? { nil }
    func address(_ id: Address.ID, of tenant: Tenant.ID) async throws(StoreError) -> Address? { nil }
    func hook(_ id: Hook.ID) async throws(StoreError) -> Hook? { [hook, otherHook].first { $0.id == id } }
    func boards(of tenant: Tenant.ID) async throws(StoreError) -> (boards: [Board], readAt: Date)? { nil }
    func remember(_ boards: [Board], of tenant: Tenant.ID, readAt: Date) async throws(StoreError) {}

    // MARK: - MessageHistory

    func message(_ id: Message.ID) async throws(StoreError) -> Message? { state.withLock { $0.messages[id] } }
    func messages(of tenant: Tenant.ID, newest limit: Int) async throws(StoreError) -> [Message] { [] }
    func items(of message: Message.ID) async throws(StoreError) -> [Item] { state.withLock { $0.items[message] ?? [] } }
    func item(_ id: Item.ID) async throws(StoreError) -> Item? { nil }
    func items(of tenant: Tenant.ID, in states: Set<Item.State>, newest limit: Int) async throws(StoreError) -> [Item] {
        []
    }
    func retry(_ item: Item.ID, now: Date) async throws(StoreError) {}
    func cancel(_ item: Item.ID, now: Date) async throws(StoreError) {}

    func waitUntilFinal(_ id: Message.ID, upTo limit: Duration) async throws(StoreError) -> Message? {
        let deadline = ContinuousClock.now + limit
        while !Task.isCancelled, .now < deadline {
            let generation = changed.generation
            let message = try await message(id)
            if message?.state == .done || message?.state == .parked { return message }
            await changed.wait(after: generation, upTo: deadline - .now)
        }
        return try await message(id)
    }
}

extension Message {
    func with(state: State) -> Message {
        Message(
            id: id, tenant: tenant, route: route, source: source, body: nil, envelope: envelope, state: state,
            reason: nil, skipped: [SkippedPart(.link, name: "ftp://x", reason: "not a link with http or https")],
            receivedAt: receivedAt)
    }
}

extension HookToken {
    var shown: String { text.withBytes { String(decoding: $0, as: UTF8.self) } }
}

/// The whole service over the double of the ports.
func withService<Result: Sendable>(
    ports: MemoryPorts = MemoryPorts(), blobs: MemoryBlobs = MemoryBlobs(), health: HealthChecks = HealthChecks(),
    publicURL: String? = nil, logger: Logger = .silent, _ body: (TestServer, MemoryPorts) async throws -> Result
) async throws -> Result {
    let shutdown = Shutdown()
    let noon = Date(timeIntervalSince1970: 1_750_000_000)
    let service = WebService(
        WebService.Ports(
            directory: ports, sink: ports, history: ports, blobs: blobs, pool: BlockingPool(width: 2),
            surroundings: Surroundings(now: { noon }, random: { SystemRandom() }), health: health, logger: logger,
            publicURL: publicURL),
        until: shutdown)
    return try await withServer(blobs: blobs, shutdown: shutdown, handler: service) { server in
        let result = try await body(server, ports)
        #expect(blobs.openWriters == 0)
        return result
    }
}
