import Administration
import Cryptography
import FoundationEssentials
import Glibc
import PinpostCore
import StoreSQLite
import Testing

/// Administration over a real store in a folder of its own.
struct Office: Sendable {
    let administration: TenantAdministration
    let store: any AdministeredStore
    let pinry: StandInPinry

    static let noon = Date(timeIntervalSince1970: 1_750_000_000)

    /// Runs `body` in an office where `ada` and `bob` have accounts; the folder goes afterwards.
    static func open(_ body: (Office) async throws -> Void) async throws {
        var random = SystemRandom()
        let folder = "\(temporaryFolder)/pinpost-office-\(Identifier<Office>.random(using: &random))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await SQLiteStore.open(in: folder, now: noon)
        let loaded = try KeyRing.load(
            from: KeySources(dataFolder: folder), checkValues: [:], needed: [], using: &random)
        let pinry = StandInPinry()
        pinry.admit(.init(username: "ada", boards: [.trips, .diary]), token: "ada-token")
        pinry.admit(.init(username: "bob"), token: "bob-token")
        guard let addressing = MailAddressing(mailAddress: "pins@example.org") else { return }
        let administration = TenantAdministration(
            store: store, pinry: pinry, keeper: Vault(ring: loaded.ring, instanceID: try await store.instanceID()),
            ring: loaded.ring, names: PublicNames(publicURL: "https://pins.example", addressing: addressing),
            now: { noon })
        do {
            try await body(Office(administration: administration, store: store, pinry: pinry))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private static var temporaryFolder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// Adds `ada` as a person would.
    @discardableResult
    func addAda(board: String? = nil) async throws -> TenantReport {
        try await administration.add(.ada(board: board))
    }
}

extension Office {
    /// A link of ada's that was tried and parked.
    func parkItem(because reason: String) async throws -> Item.ID {
        let sqlite = try #require(store as? SQLiteStore)
        let tenant = try await administration.tenant(named: "ada")
        var random = SystemRandom()
        let message = ReceivedMessage(
            id: .random(using: &random), tenant: tenant.id, route: .command, source: .command,
            deliveryKey: random.bytes(32), body: try sqlite.store([1]), envelope: Envelope(), receivedAt: Self.noon)
        _ = try await sqlite.accept(message)
        _ = try await sqlite.takeAccepted(upTo: 1, now: Self.noon)
        let item = NewItem(
            id: .random(using: &random), sequence: 0, kind: .link(FoundLink(url: "https://example.org/")),
            draft: PinDraft(description: "a"))
        try await sqlite.split(message.id, into: [item], skipped: [], note: nil, now: Self.noon)
        let leases = try await sqlite.leaseServers(upTo: 1, now: Self.noon, until: Self.noon + 60)
        let lease = try #require(leases.first)
        _ = try await sqlite.take(.prepare, from: lease, now: Self.noon, retry: RetryPolicy())
        try await sqlite.settle(item.id, as: .parked(reason: reason), under: lease, now: Self.noon)
        try await sqlite.release(lease, now: Self.noon)
        return item.id
    }
}

extension Board {
    static let trips = Board(id: BoardID(1), name: "Trips", isPrivate: false)
    static let diary = Board(id: BoardID(2), name: "Diary", isPrivate: true)
}

extension NewTenant {
    static func ada(token: String? = "ada-token", board: String? = nil) -> NewTenant {
        NewTenant(
            slug: "ada", server: "HTTP://Pinry.Example:80//", token: token.map { Secret(copying: Array($0.utf8)) },
            board: board.map { BoardChoice($0) })
    }
}
