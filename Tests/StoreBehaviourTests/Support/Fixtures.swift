import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

extension Date {
    static let noon = Date(timeIntervalSince1970: 1_750_000_000)
}

/// Draws identifiers; the suite does not care which.
func makeID<Subject>() -> Identifier<Subject> {
    var random = SystemRandom()
    return .random(using: &random)
}

extension Server {
    static func fixture(_ url: String = "https://pinry.example") -> Server { Server(id: makeID(), baseURL: url) }
}

extension SealedSecret {
    static func fixture(_ purpose: Purpose = .pinryToken, key: String = "k1") -> SealedSecret {
        SealedSecret(id: makeID(), purpose: purpose, keyID: key, box: [1, 2, 3])
    }
}

extension Tenant {
    static func fixture(_ slug: String, on server: Server) -> Tenant {
        var preferences = Preferences()
        preferences.createsBoards = true
        return Tenant(
            id: makeID(), slug: slug, server: server.id, username: slug, token: .fixture(),
            board: Board(id: BoardID(7), name: "Wall", isPrivate: false), preferences: preferences, createdAt: .noon)
    }
}

extension Address {
    static func fixture(of tenant: Tenant, hash: [UInt8] = SHA256.hash("address"), expiresAt: Date? = nil) -> Address {
        Address(
            id: makeID(), tenant: tenant.id, tokenHash: hash, token: .fixture(.addressToken),
            defaults: EntranceDefaults(tags: ["mail"], label: "phone"), expiresAt: expiresAt, createdAt: .noon)
    }
}

extension Hook {
    static func fixture(of tenant: Tenant) -> Hook {
        Hook(
            id: makeID(), tenant: tenant.id, tokenHashes: [SHA256.hash("one"), SHA256.hash("two")],
            defaults: EntranceDefaults(board: Board(id: BoardID(9), name: "Hooked", isPrivate: true), isPrivate: true),
            createdAt: .noon)
    }
}

extension StoredBytes {
    static func inline(_ text: String) -> StoredBytes {
        StoredBytes(place: .inline(Array(text.utf8)), count: text.utf8.count, sha256: SHA256.hash(text))
    }
}

extension ReceivedMessage {
    static func fixture(
        of tenant: Tenant, by route: Route = .command, key: [UInt8]? = nil, body: StoredBytes = .inline("body"),
        envelope: Envelope = Envelope(sender: "ada@example.org", fields: ["title": "Día"]), at time: Date = .noon
    ) -> ReceivedMessage {
        var random = SystemRandom()
        return ReceivedMessage(
            id: makeID(), tenant: tenant.id, route: route, source: .hook, deliveryKey: key ?? random.bytes(32),
            body: body, envelope: envelope, receivedAt: time)
    }
}

extension NewItem {
    static func link(_ sequence: Int, _ url: String = "https://example.org/page") -> NewItem {
        NewItem(
            id: makeID(), sequence: sequence, kind: .link(FoundLink(url: url)),
            draft: PinDraft(description: "A page", source: url, tags: ["a", "ü"], isPrivate: true))
    }

    static func image(_ sequence: Int, _ bytes: StoredBytes = .inline("picture")) -> NewItem {
        NewItem(
            id: makeID(), sequence: sequence, kind: .image(bytes, name: "a.jpg"),
            draft: PinDraft(description: "A picture", destination: .board(BoardID(3))))
    }
}

extension MessageSink where Self: Registry {
    /// A tenant on a server of his own, or on the given one.
    func addTenant(_ slug: String = "ada", on server: Server? = nil) async throws -> (tenant: Tenant, server: Server) {
        let server = server ?? .fixture("https://\(slug).example")
        let tenant = Tenant.fixture(slug, on: server)
        try await add(tenant, on: server)
        return (tenant, server)
    }
}

extension MessageSink where Self: SplitQueue {
    /// A message of the tenant that has become these items.
    @discardableResult
    func enqueue(
        _ items: [NewItem], skipped: [SkippedPart] = [], for tenant: Tenant, at now: Date = .noon
    ) async throws -> Message.ID {
        let message = try await accept(.fixture(of: tenant, at: now)).message
        _ = try await takeAccepted(upTo: 10, now: now)
        try await split(message, into: items, skipped: skipped, note: nil, now: now)
        return message
    }
}

extension DeliveryQueue {
    func lease(at now: Date = .noon) async throws -> ServerLease {
        try #require(try await leaseServers(upTo: 1, now: now, until: now + 60).first)
    }

    /// Takes from a lane under the default retry policy.
    func take(
        _ lane: Lane, _ lease: ServerLease, passingOver others: Set<Tenant.ID> = [], at now: Date = .noon
    ) async throws -> [Item] {
        try await take(lane, from: lease, passingOver: others, now: now, retry: RetryPolicy())
    }

    /// Brings a waiting item to a step, as the workers would.
    func bring(_ item: Item.ID, to step: Item.Step, board: BoardID? = nil, under lease: ServerLease) async throws {
        for lane in [Lane.prepare, .deliver, .deliver] {
            let taken = try #require(try await take(lane, lease).first)
            try #require(taken.id == item)
            let next: (Item.Step, StepFacts) =
                switch taken.step {
                case .prepare: (.upload, .prepared(PreparedPicture(bytes: .inline("jpeg"), type: .jpeg)))
                case .upload: (.pin, .uploaded(ImageID(11), floor: PinID(5)))
                default: (.board, .pinned(PinID(21), board: board))
                }
            try await advance(item, to: next.0, learning: next.1, under: lease, now: .noon)
            if next.0 == step { return }
        }
    }
}
