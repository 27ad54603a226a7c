import Cryptography
import CurlKit
import FoundationEssentials
import Hooks
import Mail
import PinpostCore
import PinpostTesting
import PinryClient
import StoreSQLite
import Synchronization
import Testing
import Web

/// A provider's hook from the request to the pin and the answer, step by step, with the provider's API on loopback.
final class ChatStage: Sendable {
    let delivery: DeliveryStage
    let api: ChatAPI
    let hook: Hook
    /// Our own, for providers that prove nothing.
    let hookToken: String
    private let http: HTTPClient

    /// Runs `body` with a hook of `provider` whose API base is the stub's.
    static func open(
        _ provider: String, allowed: [String] = [], options: [String: String] = [:], secret: String? = "s3cret-s3cret",
        token: String? = "123:bot-token", _ body: (ChatStage) async throws -> Void
    ) async throws {
        try await DeliveryStage.open { delivery in
            let stage = try await ChatStage(delivery, provider, allowed, options, secret: secret, token: token)
            defer { stage.api.stop() }
            try await body(stage)
        }
    }

    /// The same with what `body` finds.
    static func opened<Result>(
        _ provider: String, _ body: (ChatStage) async throws -> Result
    ) async throws -> Result {
        var result: Result?
        try await open(provider) { result = try await body($0) }
        return try #require(result)
    }

    private init(
        _ delivery: DeliveryStage, _ provider: String, _ allowed: [String], _ options: [String: String],
        secret: String?, token: String?
    ) async throws {
        self.delivery = delivery
        api = try ChatAPI()
        var settings = HTTPClient.Settings()
        settings.exceptions = Set(["127.0.0.1:\(api.port)"].compactMap { AddressPolicy.Exception($0) })
        http = try HTTPClient(settings, blobs: delivery.store)
        let tenant = delivery.tenant.id
        func seal(_ text: String?, _ purpose: SealedSecret.Purpose) throws -> SealedSecret? {
            try text.map { try delivery.vault.seal(Secret(copying: Array($0.utf8)), for: purpose, of: tenant) }
        }
        var random = SystemRandom()
        let own = HookToken.random(using: &random)
        hookToken = own.text.withBytes { String(decoding: $0, as: UTF8.self) }
        hook = Hook(
            id: .init("hook1"), tenant: tenant, provider: provider, tokenHashes: [own.hash],
            defaults: EntranceDefaults(), createdAt: delivery.clock.now,
            settings: HookSettings(apiBase: api.url, allowed: allowed, options: options),
            secret: try seal(secret, .hookSecret), token: try seal(token, .hookToken))
        try await delivery.store.add(hook)
    }

    var store: SQLiteStore { delivery.store }
    var desk: ProviderDesk {
        ProviderDesk(keeper: delivery.vault, blobs: store, pool: Self.pool, http: http)
    }

    private static let pool = BlockingPool(width: 2)

    /// The answer of the web service to a request of the provider.
    func send(
        _ headers: [(String, String)], _ body: String, method: String = "POST",
        contentType: String = "application/json", query: String = "", log: LogLines = LogLines(),
        sink: (any MessageSink)? = nil
    ) async throws -> HTTPAnswer {
        try await send(
            [("Content-Type", contentType)] + headers, bytes: Array(body.utf8), method: method, target: query, log: log,
            sink: sink)
    }

    /// The same with any bytes; `target` follows the hook's address, `path` stands for the whole.
    func send(
        _ headers: [(String, String)], bytes body: [UInt8], method: String = "POST", target: String = "",
        path: String? = nil, log: LogLines = LogLines(), sink: (any MessageSink)? = nil
    ) async throws -> HTTPAnswer {
        let fields = headers.map { RequestHead.Field($0.0.lowercased(), $0.1) }
        let path = try #require(RequestTarget(path ?? "/v1/hooks/hook1\(target)"))
        let head = RequestHead(method: method, target: path, fields: fields, bodyLength: .known(body.count))
        switch await (try service(log, sink)).open(head) {
        case .answer(let answer): return answer
        case .receive(let limit, let then):
            try #require(body.count <= limit)
            return await then(try store.store(body))
        }
    }

    func service(
        _ log: LogLines = LogLines(), _ sink: (any MessageSink)? = nil, limits: RequestLimits = RequestLimits()
    ) throws -> WebService {
        WebService(
            WebService.Ports(
                directory: store, sink: sink ?? store, history: store, blobs: store, pool: Self.pool,
                surroundings: delivery.surroundings, logger: Logger(level: .debug, write: { log.add($0) }),
                publicURL: "https://in.example", providers: desk, undo: try undo, limits: limits,
                allowance: TenantAllowance(bytesPerDay: limits.bytesPerTenantAndDay)), until: Shutdown())
    }

    var undo: PinUndo {
        get throws {
            PinUndo(
                history: store, record: store, accounts: delivery.accounts,
                pinry: RemotePinry(try HTTPClient(blobs: store)), surroundings: delivery.surroundings)
        }
    }

    /// Reads every message that may be read now.
    func split() async throws {
        let boards = BoardCatalog(
            directory: store, accounts: delivery.accounts, pinry: RemotePinry(try HTTPClient(blobs: store)))
        let splitter = Splitter(
            queue: store, quarantine: store, directory: store, boards: boards,
            reader: StageReader(blobs: store, pool: Self.pool),
            blobs: store, pool: Self.pool, surroundings: delivery.surroundings, logger: .silent)
        for message in try await store.takeAccepted(upTo: 100, now: delivery.clock.now) {
            await splitter.split(message)
        }
    }

    func work() async throws { try await delivery.work(files: HookFiles(desk: desk, directory: store)) }

    /// Sends what is owed; a chat hears one answer after the other.
    func tell() async throws {
        while try await tellOnce() > 0 {}
    }

    var replies: ProviderReplies {
        get throws { ProviderReplies(desk: desk, directory: store, undo: try undo) }
    }

    private func tellOnce() async throws -> Int {
        let now = delivery.clock.now
        let replies = try await store.takeReplies(upTo: 100, now: now, until: now + 60)
        for reply in replies {
            var outcome = ReplyOutcome.sent
            let channel = try self.replies
            do throws(ReplyError) {
                if let order = reply.order {
                    let result = try await channel.carryOut(order, of: reply)
                    try? await store.note(result, of: reply, now: now)
                    continue
                }
                try await channel.send(reply)
            } catch {
                if error.code.isTransient {
                    try await store.postpone(reply, until: now + 5, reason: error.detail)
                    continue
                }
                outcome = .notSent(reason: error.description)
            }
            try await store.settle(reply, as: outcome, now: now)
        }
        return replies.count
    }

    /// From the request's answer to the chat's, past every album's waiting.
    func finish() async throws {
        delivery.clock.move(by: 12)
        try await split()
        try await work()
        try await tell()
    }

    func messages() async throws -> [Message] { try await store.messages(of: delivery.tenant.id, newest: 100) }

    func items() async throws -> [Item] {
        var items: [Item] = []
        for message in try await messages().reversed() { items += try await store.items(of: message.id) }
        return items
    }
}

/// Reads what hooks brought, mails among it.
private struct StageReader: MessageReader {
    let blobs: any BlobStore
    let pool: BlockingPool

    func read(_ message: Message, knownBoards: [String]) async throws(ReadingError) -> MessageContent {
        guard message.source == .mail, let body = message.body else {
            return try await HookMessageReader(blobs: blobs, pool: pool).read(message, knownBoards: knownBoards)
        }
        do {
            return try MailReader().read(try blobs.open(body), into: blobs, knownBoards: knownBoards)
        } catch {
            throw ReadingError(.unreadable, "\(error)")
        }
    }
}

/// Keeps what was logged.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var text: String { lines.withLock { $0.joined(separator: "\n") } }
}

/// A provider's API: answers by path, and remembers what it was asked.
final class ChatAPI: Sendable {
    struct Call: Sendable {
        let line: String
        let headers: [(name: String, value: String)]
        let body: String

        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    private let state = Mutex(State())
    private let server: LoopbackServer

    private struct State {
        var answers: [(path: String, status: Int, body: [UInt8])] = []
        var calls: [Call] = []
    }

    init() throws {
        let box = Box()
        server = try LoopbackServer { request in box.api?.answer(request) ?? LoopbackServer.Reply(500) }
        box.api = self
    }

    /// The server starts before there is an object to ask.
    private final class Box: Sendable {
        private let held = Mutex<Held>(Held())
        private struct Held { weak var api: ChatAPI? }
        var api: ChatAPI? {
            get { held.withLock { $0.api } }
            set { held.withLock { $0.api = newValue } }
        }
    }

    var port: Int { server.port }
    var url: String { server.url }
    func stop() { server.stop() }

    /// From now on what begins with `path` gets this; a later answer goes before an earlier one.
    func answer(_ path: String, _ body: [UInt8], status: Int = 200) {
        state.withLock { $0.answers.insert((path, status, body), at: 0) }
    }

    func answer(_ path: String, _ body: String, status: Int = 200) { answer(path, Array(body.utf8), status: status) }

    func calls(_ part: String = "") -> [Call] { state.withLock { $0.calls.filter { $0.line.contains(part) } } }

    private func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let call = Call(
            line: "\(request.method) \(request.target)", headers: request.headers,
            body: String(decoding: request.body, as: UTF8.self))
        let found = state.withLock { state in
            state.calls.append(call)
            return state.answers.first { request.target.hasPrefix($0.path) }
        }
        return LoopbackServer.Reply(found?.status ?? 404, body: found?.body ?? Array("{}".utf8))
    }
}

/// A sample request, of the folder of samples; nil where that is not there.
func sample(_ name: String) throws -> String {
    let folder = ProcessInfo.processInfo.environment["PINPOST_SHARED"] ?? "../shared"
    let data = try Data(contentsOf: URL(filePath: "\(folder)/webhooks/\(name)"))
    return String(decoding: data, as: UTF8.self)
}

let hasSamples = FileManager.default.fileExists(
    atPath: (ProcessInfo.processInfo.environment["PINPOST_SHARED"] ?? "../shared") + "/webhooks/INDEX.md")
