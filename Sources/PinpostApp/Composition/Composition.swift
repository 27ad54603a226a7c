import Administration
import Cryptography
import CurlKit
import FoundationEssentials
import Hooks
import Links
import Mail
import Media
import PinpostCore
import PinryClient
import StoreSQLite
import Web

/// All parts of Pinpost, wired once; the folder list of `Sources` in one place.
struct Composition: Sendable {
    let configuration: Configuration
    let opened: OpenedStore
    let surroundings: Surroundings
    let logger: Logger
    /// For short calls that block on the disk.
    let pool: BlockingPool
    let http: HTTPClient
    let pinry: RemotePinry
    let decoders: DecoderPool
    let mailIntake: MailIntake
    private let mailboxPorts: MailboxPorts
    let mailboxService: MailboxService
    private let mailReplies: MailReplies?
    let meter: Meter
    /// Of all tenants, for all ways in.
    let allowance: TenantAllowance

    private static let poolWidth = 6
    /// Pictures that are prepared at once; few of them decode at the same time.
    private static let pictures = 12
    /// Links and chats' files that are prepared at once; most of them wait for a site.
    private static let fetches = 16

    /// Opens the data folder; nothing is received or delivered until the services run.
    static func open(_ configuration: Configuration, logger: Logger) async throws -> Composition {
        let surroundings = Surroundings(now: { Date.now }, random: { SystemRandom() })
        let opened = try await OpenedStore.open(configuration, now: surroundings.now())
        if let notice = opened.notice { logger.warning(notice) }
        do {
            let http = try HTTPClient(egress(configuration), blobs: opened.store)
            var decoding = DecoderPool.Configuration()
            decoding.concurrency = configuration.media.decoders
            let pool = BlockingPool(width: poolWidth)
            let meter = Meter()
            let allowance = TenantAllowance(bytesPerDay: configuration.listener.limits.bytesPerTenantAndDay)
            let intake = MailIntake(
                sink: sink(of: opened.store, meter, allowance), within: allowance, directory: opened.store,
                quarantine: opened.store,
                blobs: opened.store.blobs(for: .receiving),
                addressing: configuration.mail.addressing, surroundings: surroundings,
                trusting: configuration.mail.trustedAuthServers, holdingWithin: configuration.mail.quarantine.limits)
            let ports = mailboxPorts(configuration, opened, http, intake, surroundings, logger)
            let trust = SenderTrust(mailboxes: opened.store, local: configuration.mail.trustedAuthServers)
            let replies = try MailReplies(
                configuration, opened: opened, pool: pool, trust: trust, surroundings: surroundings)
            return Composition(
                configuration: configuration, opened: opened, surroundings: surroundings, logger: logger,
                pool: pool, http: http, pinry: RemotePinry(http),
                decoders: DecoderPool(try .besideRunningProgram(), decoding), mailIntake: intake, mailboxPorts: ports,
                mailboxService: MailboxService(
                    ports, changes: opened.store.mailboxesChanged, finished: opened.store.messagesFinished),
                mailReplies: replies, meter: meter, allowance: allowance)
        } catch {
            await opened.store.close()
            throw error
        }
    }

    private static func mailboxPorts(
        _ configuration: Configuration, _ opened: OpenedStore, _ http: HTTPClient, _ intake: MailIntake,
        _ surroundings: Surroundings,
        _ logger: Logger
    ) -> MailboxPorts {
        var limits = IMAPLimits()
        limits.messageBytes = configuration.mail.messageBytes
        let store = opened.store
        return MailboxPorts(
            directory: store, state: store, keeper: opened.vault, http: http, intake: intake,
            blobs: store.blobs(for: .receiving), surroundings: surroundings, logger: logger, limits: limits)
    }

    private static func egress(_ configuration: Configuration) -> HTTPClient.Settings {
        HTTPClient.Settings(
            userAgent: HTTPClient.Settings.userAgent(
                version: Version.current, contact: configuration.listener.publicURL),
            exceptions: Set(configuration.egress.allowed.compactMap { AddressPolicy.Exception($0.description) }))
    }

    func close() async { await opened.store.close() }

    var store: SQLiteStore { opened.store }
    /// For every way in.
    var sink: CountingSink { Self.sink(of: store, meter, allowance) }
    private static func sink(of store: SQLiteStore, _ meter: Meter, _ allowance: TenantAllowance) -> CountingSink {
        CountingSink(sink: ChargingSink(store, to: allowance), meter: meter)
    }
    var accounts: AccountBook { AccountBook(directory: store, keeper: opened.vault) }
    /// Chats and services that have their own form.
    var providers: ProviderDesk { ProviderDesk(keeper: opened.vault, blobs: store, pool: pool, http: http) }
    var undo: PinUndo {
        PinUndo(history: store, record: store, accounts: accounts, pinry: pinry, surroundings: surroundings)
    }
    private var chats: [String: any ReplyChannel] {
        let replies = ProviderReplies(desk: providers, directory: store, undo: undo)
        return Dictionary(uniqueKeysWithValues: ProviderDesk.names.map { ($0, replies) })
    }
    var boards: BoardCatalog { BoardCatalog(directory: store, accounts: accounts, pinry: pinry) }

    var senderTrust: SenderTrust { SenderTrust(mailboxes: store, local: configuration.mail.trustedAuthServers) }

    /// What reads messages and delivers their items.
    var workers: [any Service] { [decoders, splitterService, deliveryService, replyService] + sweepers }

    private var sweepers: [any Service] {
        [
            QuarantineSweeper(quarantine: store, surroundings: surroundings, logger: logger),
            SpoolSweeper(
                sweep: { [store] suspects async throws(StoreError) in try await store.sweepSpool(suspects) },
                logger: logger),
        ]
    }

    /// What the command line and the web pages work with.
    var desk: AdminDesk {
        let addressing = configuration.mail.addressing
        let administration = TenantAdministration(
            store: store, pinry: pinry, keeper: opened.vault, ring: opened.ring,
            names: PublicNames(publicURL: configuration.listener.publicURL, addressing: addressing),
            now: surroundings.now)
        return AdminDesk(
            administration: administration,
            directory: store, history: store,
            intake: Intake(
                sink: sink, blobs: store.blobs(for: .receiving), pool: pool, surroundings: surroundings),
            mail: mailIntake,
            mailBytes: configuration.mail.messageBytes,
            mailboxes: MailboxDesk(
                administration: MailboxAdministration(directory: store, keeper: opened.vault, now: surroundings.now),
                trial: MailboxTrial(mailboxPorts), service: mailboxService, ports: mailboxPorts),
            quarantine: QuarantineAdministration(store: store, tenants: administration, now: surroundings.now),
            providers: providers,
            addressing: addressing, trust: senderTrust, answersMail: configuration.outgoing != nil)
    }
}

extension Composition {
    private var splitterService: SplitterService {
        let splitter = Splitter(
            queue: store, quarantine: store, directory: store, boards: boards,
            reader: StoredMessageReader(
                blobs: store.blobs(for: .reading), pool: pool, messageBytes: configuration.mail.messageBytes,
                trust: senderTrust, habits: store, now: surroundings.now),
            blobs: store, pool: pool,
            surroundings: surroundings, logger: logger, holdingWithin: configuration.mail.quarantine.limits)
        return SplitterService(
            splitter: splitter, queue: store, surroundings: surroundings, arrivals: store.messagesArrived,
            logger: logger)
    }

    private var replyService: ReplyService {
        ReplyService(
            queue: store, channels: ReplyChannels(directory: store, mail: mailReplies, providers: chats),
            arrivals: store.messagesFinished, surroundings: surroundings, logger: logger, meter: meter)
    }

    private var deliveryService: DeliveryService {
        let converter = CountingConverter(
            converter: SandboxedPictureConverter(decoders, storingIn: store, limits: configuration.media.limits),
            meter: meter)
        let links = FetchedLinks(
            http: PoliteExchange(http), reader: SandboxedPageReader(decoders), blobs: store, pool: pool)
        let places = ServerPlaces()
        let runner = StepRunner(
            queue: store, directory: store,
            prepare: PrepareStep(
                converter: converter, links: links,
                memory: CheckedPinMemory(store, accounts: accounts, pinry: pinry, places: places),
                files: HookFiles(desk: providers, directory: store),
                discard: { [store, pool] bytes in await pool.run { store.discard(bytes) } }),
            pinry: PinrySteps(pinry: pinry, accounts: accounts, boards: boards, surroundings: surroundings),
            quiet: configuration.pinry.quiet, surroundings: surroundings, logger: logger, meter: meter,
            places: places)
        let worker = ServerWorker(
            runner: runner, queue: store, pictures: SharedSlots(Self.pictures),
            fetches: SharedSlots(Self.fetches), arrivals: store.itemsArrived,
            surroundings: surroundings, logger: logger)
        return DeliveryService(
            worker: worker, queue: store, arrivals: store.itemsArrived, surroundings: surroundings, logger: logger)
    }
}
