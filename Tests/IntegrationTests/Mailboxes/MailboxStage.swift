import Cryptography
import CurlKit
import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Synchronization
import Testing

/// The real store and the real mailbox service, with two tenants who have an address each.
final class MailboxStage: Sendable {
    let folder: String
    let store: SQLiteStore
    let vault: Vault
    let tenants: [Tenant]
    /// A live address of each tenant, token and all.
    let addresses: [String]
    let ports: MailboxPorts
    let disk: Disk
    let service: MailboxService
    /// What the mailboxes take for the time.
    let clock: StageClock

    static func open(
        _ change: (inout MailboxTimings) -> Void = { _ in }, limits: IMAPLimits = IMAPLimits(),
        mayReach: LoopbackServer? = nil, in folder: String? = nil, within allowance: (any Allowance)? = nil,
        _ body: (MailboxStage) async throws -> Void
    ) async throws {
        var timings = MailboxTimings()
        (timings.firstPause, timings.busyPause, timings.loginPause) = (
            .milliseconds(20), .milliseconds(20), .milliseconds(20)
        )
        timings.longestPause = .milliseconds(200)
        change(&timings)
        let stage = try await MailboxStage(timings, limits, mayReach, folder, allowance)
        do {
            try await body(stage)
        } catch {
            await stage.end()
            throw error
        }
        await stage.end()
    }

    private init(
        _ timings: MailboxTimings, _ limits: IMAPLimits, _ other: LoopbackServer?, _ folder: String?,
        _ allowance: (any Allowance)?
    ) async throws {
        var random = SystemRandom()
        self.folder = folder ?? "/tmp/pinpost-mailboxes-\(Identifier<MailboxStage>.random(using: &random))"
        store = try await SQLiteStore.open(in: self.folder, now: .now)
        let loaded = try KeyRing.load(
            from: KeySources(dataFolder: self.folder), checkValues: [:], needed: [], using: &random)
        vault = Vault(ring: loaded.ring, instanceID: try await store.instanceID())
        let addressing = try #require(MailAddressing(mailAddress: "pins@example.org"))
        var (tenants, addresses): ([Tenant], [String]) = ([], [])
        for slug in ["ada", "bob"] {
            let server = Server(id: .random(using: &random), baseURL: "http://\(slug).example")
            let tenant = Tenant(id: .random(using: &random), slug: slug, server: server.id, createdAt: .now)
            try await store.add(tenant, on: server)
            let token = AddressToken.random(using: &random)
            try await store.add(
                PinpostCore.Address(
                    id: .random(using: &random), tenant: tenant.id, tokenHash: token.hash,
                    token: try vault.seal(token.text, for: .addressToken, of: tenant.id), defaults: EntranceDefaults(),
                    createdAt: .now))
            tenants.append(tenant)
            addresses.append(addressing.address(for: token.text.withBytes { String(decoding: $0, as: UTF8.self) }))
        }
        (self.tenants, self.addresses) = (tenants, addresses)
        let clock = StageClock()
        self.clock = clock
        let surroundings = Surroundings(now: { clock.now }, random: { SystemRandom() })
        disk = Disk(store)
        var egress = HTTPClient.Settings()
        if let other, let allowed = AddressPolicy.Exception("127.0.0.1:\(other.port)") { egress.exceptions = [allowed] }
        let http = try HTTPClient(egress)
        var sink: any MessageSink = store
        if let allowance { sink = ChargingSink(store, to: allowance) }
        let intake = MailIntake(
            sink: sink, within: allowance, directory: store,
            quarantine: store, blobs: disk, addressing: addressing,
            surroundings: surroundings)
        ports = MailboxPorts(
            directory: store, state: store, keeper: vault, http: http, intake: intake,
            blobs: disk, surroundings: surroundings, logger: Self.logger, timings: timings, limits: limits)
        service = MailboxService(ports, changes: store.mailboxesChanged, finished: store.messagesFinished)
    }

    /// `PINPOST_TEST_LOG=1` shows what the watchers do.
    private static let logger =
        ProcessInfo.processInfo.environment["PINPOST_TEST_LOG"] == nil
        ? Logger.silent : Logger(level: .debug, format: .text)

    private func end() async {
        await store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Adds a mailbox on a port of this machine.
    @discardableResult
    func addMailbox(
        _ name: String = "inbox", port: Int, password: String = "secret", user: String = "ada",
        _ change: (inout MailboxSettings) -> Void = { _ in }
    ) async throws -> WatchedMailbox {
        var random = SystemRandom()
        let id = WatchedMailbox.ID.random(using: &random)
        var settings = MailboxSettings(host: "127.0.0.1", port: port, encryption: .none, username: user)
        change(&settings)
        let secret = try vault.seal(
            Secret(copying: Array(password.utf8)), for: .mailboxPassword, of: WatchedMailbox.sealingName(of: id))
        let mailbox = WatchedMailbox(id: id, name: name, settings: settings, secret: secret, createdAt: .now)
        try await store.add(mailbox)
        return mailbox
    }

    /// What a sealed secret of a mailbox says.
    func opened(_ secret: SealedSecret, of mailbox: WatchedMailbox) throws -> String {
        try vault.open(secret, of: WatchedMailbox.sealingName(of: mailbox.id)).withBytes {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Runs `body` while the mailboxes are watched.
    func watching(_ body: () async throws -> Void) async throws {
        let shutdown = Shutdown()
        async let watched: Void = service.run(until: shutdown)
        do {
            try await body()
        } catch {
            shutdown.request()
            try await watched
            throw error
        }
        shutdown.request()
        try await watched
    }

    /// The messages of a tenant, once there are at least `count`, or those there are when the patience is over.
    func messages(_ count: Int, of tenant: Int = 0) async throws -> [Message] {
        try await eventually({ $0.count >= count }) { try await store.messages(of: tenants[tenant].id, newest: 10_000) }
    }

    /// A mail for one of the tenants.
    func mail(_ subject: String, for tenant: Int = 0, size: Int = 0) -> [UInt8] {
        let text =
            "Delivered-To: \(addresses[tenant])\r\nMessage-ID: <\(subject)@test>\r\nFrom: ada@example.net\r\n"
            + "Subject: \(subject)\r\n\r\nhttps://example.com/\(subject)\r\n"
        return Array(text.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: size)
    }
}

/// The time of day, which a test may put forward.
final class StageClock: Sendable {
    private let ahead = Mutex<TimeInterval>(0)

    var now: Date { .now + ahead.withLock { $0 } }
    func advance(by seconds: TimeInterval) { ahead.withLock { $0 += seconds } }
}

extension MailboxStage {
    /// Ends a message as if its one link had been pinned.
    func pin(_ message: Message) async throws {
        var random = SystemRandom()
        let link = NewItem(
            id: .random(using: &random), sequence: 0, kind: .link(FoundLink(url: "https://example.org/")),
            draft: PinDraft(description: "A page"))
        try await store.split(message.id, into: [link], skipped: [], note: nil, now: .now)
        let leases = try await store.leaseServers(upTo: 9, now: .now + 1, until: .now + 60)
        for lease in leases {
            let items = try await store.take(.prepare, from: lease, now: .now + 1, retry: RetryPolicy())
            for item in items {
                try await store.advance(
                    item.id, to: .done, learning: .pinned(PinID(1), board: nil), under: lease, now: .now)
                try await store.settle(item.id, as: .done(note: nil), under: lease, now: .now)
            }
            try await store.release(lease, now: .now)
        }
    }
}
