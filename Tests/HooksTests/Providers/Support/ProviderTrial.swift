import FoundationEssentials
import PinpostCore
import Synchronization
import Testing

@testable import Hooks

/// A provider's hook with everything behind it in memory: what becomes of its requests, bodies and files.
struct ProviderTrial {
    let hook: Hook
    let blobs = KeepingBlobs()
    let http: ScriptedHTTP
    let pool = BlockingPool(width: 1)
    let now: Date
    private let desk: ProviderDesk

    init(
        _ provider: String, secret: String? = nil, token: String? = nil, apiBase: String? = nil,
        allowed: [String] = [], options: [String: String] = [:], mapping: String? = nil,
        answers: [String: HTTPResponse] = [:], now: Int = 1_790_000_000
    ) throws {
        let keeper = PlainKeeper()
        hook = Hook(
            id: Hook.ID("hook"), tenant: Tenant.ID("ada"), provider: provider, tokenHashes: [],
            defaults: EntranceDefaults(), createdAt: Date(timeIntervalSince1970: 0),
            settings: HookSettings(apiBase: apiBase, allowed: allowed, options: options, mapping: mapping),
            secret: try secret.map { try keeper.seal($0) }, token: try token.map { try keeper.seal($0) })
        http = ScriptedHTTP(answers)
        self.now = Date(timeIntervalSince1970: Double(now))
        desk = ProviderDesk(keeper: keeper, blobs: blobs, pool: pool, http: http)
    }

    var provider: any Provider {
        get throws { try #require(Providers.named(hook.provider)) }
    }

    /// What `hook add` asks before it keeps the hook.
    func checkHook() throws(ProviderError) { try desk.check(hook) }

    func receive(_ request: SampleRequest) async throws -> ProviderEntrance.Reception {
        let entrance = try #require(desk.entrance(of: hook))
        let head = ProviderEntrance.Head(
            method: request.method, path: request.path, query: request.query, headers: request.headers,
            url: request.url)
        return await entrance.receive(head, body: try blobs.store(request.body), now: now)
    }

    /// What a kept request becomes; of a mail nothing is read here.
    func kept(_ request: SampleRequest) async throws -> KeptPost {
        switch try await receive(request) {
        case .keep(let delivery): return KeptPost(delivery, content: try await content(of: delivery))
        case let other:
            Issue.record("not kept: \(other)")
            throw ReadingError(.unreadable, "not kept")
        }
    }

    func keptEach(_ request: SampleRequest) async throws -> [KeptPost] {
        guard case .keepEach(let deliveries) = try await receive(request) else {
            throw ReadingError(.unreadable, "not kept in parts")
        }
        var kept: [KeptPost] = []
        for delivery in deliveries { kept.append(KeptPost(delivery, content: try await content(of: delivery))) }
        return kept
    }

    func content(of delivery: ProviderEntrance.KeptDelivery) async throws -> MessageContent {
        guard delivery.source == .hook else { return MessageContent(source: .mail) }
        return try await HookMessageReader(blobs: blobs, pool: pool).read(message(delivery), knownBoards: ["Trips"])
    }

    /// An album of several deliveries, in the order in which the store gives it.
    func album(_ deliveries: [ProviderEntrance.KeptDelivery]) async throws -> MessageContent {
        let sorted = deliveries.sorted { ($0.album?.position ?? 0) < ($1.album?.position ?? 0) }
        var message = message(deliveries[0])
        message.album = sorted.map(\.body)
        return try await HookMessageReader(blobs: blobs, pool: pool).read(message, knownBoards: [])
    }

    /// Fetches a file as the worker would: the URLs that were asked, and the bytes or the reason.
    func file(_ media: MediaReference) async throws -> [UInt8] {
        let files = HookFiles(desk: desk, directory: OneHook(hook: hook))
        let stored = try await files.file(media, of: hook.tenant)
        return stored.inlineBytes
    }

    private func message(_ delivery: ProviderEntrance.KeptDelivery) -> Message {
        var envelope = delivery.envelope
        if delivery.undo != nil { envelope.undo = UndoOrder(message: nil) }
        return Message(
            id: Message.ID("m"), tenant: hook.tenant, route: .hook(hook.id), source: delivery.source,
            body: delivery.body, envelope: envelope, state: .accepted, reason: nil, skipped: [],
            receivedAt: now)
    }
}

/// A delivery that would be stored, and what it says.
struct KeptPost {
    let delivery: ProviderEntrance.KeptDelivery
    let content: MessageContent

    init(_ delivery: ProviderEntrance.KeptDelivery, content: MessageContent) {
        self.delivery = delivery
        self.content = content
    }

    /// The raw mail.
    var mime: String { String(decoding: delivery.body.inlineBytes, as: UTF8.self) }
    var media: [MediaReference] {
        content.items.compactMap { if case .media(let media) = $0.kind { media } else { nil } }
    }
}

/// Seals nothing.
struct PlainKeeper: SecretKeeper {
    func seal(_ text: String) throws(VaultError) -> SealedSecret {
        try seal(Secret(copying: Array(text.utf8)), for: .hookSecret, of: Tenant.ID("ada"))
    }

    func seal(
        _ secret: Secret, for purpose: SealedSecret.Purpose, of _: Tenant.ID
    ) throws(VaultError) -> SealedSecret {
        SealedSecret(id: Identifier("s"), purpose: purpose, keyID: "k", box: secret.withBytes { Array($0) })
    }

    func open(_ sealed: SealedSecret, of _: Tenant.ID) throws(VaultError) -> Secret { Secret(copying: sealed.box) }
}

/// Answers by the URL alone, and remembers what was asked.
final class ScriptedHTTP: HTTPExchange {
    struct Sent: Sendable {
        let request: HTTPRequest
        let isProvider: Bool
        var authorization: String? {
            request.authorization.map { "\($0.scheme) \($0.secret.withBytes { String(decoding: $0, as: UTF8.self) })" }
        }
    }

    private let answers: [String: HTTPResponse]
    private let log = Mutex<[Sent]>([])

    init(_ answers: [String: HTTPResponse]) { self.answers = answers }

    var sent: [Sent] { log.withLock { $0 } }

    func send(_ request: HTTPRequest, as egress: EgressClass) async throws(HTTPExchangeError) -> HTTPResponse {
        var isProvider = false
        if case .provider = egress { isProvider = true }
        log.withLock { $0.append(Sent(request: request, isProvider: isProvider)) }
        return answers[request.url] ?? .answer(404)
    }
}

extension HTTPResponse {
    static func answer(
        _ status: Int = 200, _ text: String = "", headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Array(text.utf8), url: "")
    }

    static var png: HTTPResponse { HTTPResponse(status: 200, headers: [], body: TinyPNG.bytes, url: "") }
}
