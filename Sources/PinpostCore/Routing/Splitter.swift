import FoundationEssentials

/// From one stored message to its items: read, look up what was asked for, commit.
public struct Splitter: Sendable {
    private let queue: any SplitQueue
    private let quarantine: any Quarantine
    private let directory: any TenantDirectory
    private let boards: BoardCatalog
    private let reader: any MessageReader
    private let blobs: any BlobStore
    private let pool: BlockingPool
    private let surroundings: Surroundings
    private let logger: Logger
    /// Of the quarantine.
    private let limits: QuarantineLimits

    /// A board that is not among the remembered ones is looked for in Pinry when they are older, in seconds.
    private static let boardAge: TimeInterval = 60
    /// How long a late part of an album waits until the album is read, in seconds.
    private static let elderPatience: TimeInterval = 600
    /// How long after it came a message is tried whose body the disk does not give, in seconds.
    private static let diskPatience: TimeInterval = 86_400
    /// What a full disk or a busy store is given to recover, in seconds.
    private static let pause: TimeInterval = 15

    public init(
        queue: any SplitQueue, quarantine: any Quarantine, directory: any TenantDirectory, boards: BoardCatalog,
        reader: any MessageReader,
        blobs: any BlobStore, pool: BlockingPool, surroundings: Surroundings, logger: Logger,
        holdingWithin limits: QuarantineLimits = QuarantineLimits()
    ) {
        self.limits = limits
        self.queue = queue
        self.quarantine = quarantine
        self.directory = directory
        self.boards = boards
        self.reader = reader
        self.blobs = blobs
        self.pool = pool
        self.surroundings = surroundings
        self.logger = logger
    }

    /// Whatever happens, the message ends up split, parked with a reason, or back in the queue.
    public func split(_ message: Message) async {
        let logger = logger.with(["message": message.id, "tenant": message.tenant])
        do {
            try await splitOrThrow(message)
            logger.info("message split")
        } catch let error as ReadingError where isOver(error, for: message) {
            logger.warning("message parked", ["reason": error.detail])
            await record(logger) { try await queue.park(message.id, reason: error.detail, now: surroundings.now()) }
        } catch {
            let reason = String(describing: error)
            logger.warning("message postponed", ["reason": reason])
            await record(logger) {
                try await queue.postpone(message.id, until: surroundings.now() + Self.pause, reason: reason)
            }
        }
    }

    /// A disk may come to itself; a place on it that is gone does not, and a person can still have it read again.
    private func isOver(_ error: ReadingError, for message: Message) -> Bool {
        switch error.code {
        case .unreadable: true
        case .unavailable: false
        case .failing: surroundings.now().timeIntervalSince(message.receivedAt) > Self.diskPatience
        }
    }

    private func splitOrThrow(_ message: Message) async throws {
        guard let tenant = try await directory.tenant(message.tenant) else {
            throw ReadingError(.unreadable, "the tenant is gone")
        }
        // The album's other pins are not settled yet: this one goes where they go.
        let age = surroundings.now().timeIntervalSince(message.receivedAt)
        guard message.elder != .unread || age > Self.elderPatience else {
            return try await queue.postpone(
                message.id, until: surroundings.now() + AlbumPlace.quiet, reason: "its album is being read")
        }
        let known = try await boards.known(of: tenant.id)
        let content = try await reader.read(message, knownBoards: known.map(\.name))
        do {
            if let objection = try await objection(to: content, of: message) {
                try await quarantine.hold(
                    message.id, because: objection, within: limits, now: surroundings.now())
                return await discard(content.pictures[...])
            }
            let circumstances = try await circumstances(of: message, tenant: tenant, known: known, content: content)
            let plan = SplitPlan(content, in: circumstances, makeID: surroundings.makeID)
            try await queue.split(
                message.id, into: plan.items, skipped: plan.skipped, note: plan.note,
                owesReply: content.wantsReply, now: surroundings.now())
            for reason in Set(plan.skipped.map(\.reason)) where SenderWords.isForAdmin(reason) {
                logger.warning("something was left out", ["message": message.id, "reason": reason])
            }
            await discard(content.pictures.dropFirst(plan.items.count { $0.isPicture }))
        } catch {
            await discard(content.pictures[...])
            throw error
        }
    }

    private func circumstances(
        of message: Message, tenant: Tenant, known: [Board], content: MessageContent
    ) async throws -> SplitPlan.Circumstances {
        var circumstances = SplitPlan.Circumstances(
            tenant: tenant, defaults: try await defaults(of: message), boardSlug: message.envelope.boardSlug,
            boards: known)
        circumstances.elder = message.elder
        if SplitPlan.misses(content, in: circumstances) {
            circumstances.boards = await freshBoards(of: tenant.id) ?? known
        }
        return circumstances
    }

    /// Why the rules about senders want a person to look first; nil: they do not.
    private func objection(to content: MessageContent, of message: Message) async throws(StoreError) -> String? {
        guard case .address(let id) = message.route, message.envelope.isReleased != true else { return nil }
        let address = try await directory.address(id, of: message.tenant)
        return address?.policy.objection(to: content.sender)
    }

    /// Pictures that no row will name.
    private func discard(_ pictures: ArraySlice<StoredBytes>) async {
        guard !pictures.isEmpty else { return }
        await pool.run { [blobs] in
            for picture in pictures { blobs.discard(picture) }
        }
    }

    /// A Pinry that is away must not hold up the message: the remembered boards decide then.
    private func freshBoards(of tenant: Tenant.ID) async -> [Board]? {
        try? await boards.boards(of: tenant, notOlderThan: Self.boardAge, now: surroundings.now())
    }

    private func defaults(of message: Message) async throws -> EntranceDefaults {
        switch message.route {
        case .address(let id): try await directory.address(id, of: message.tenant)?.defaults ?? EntranceDefaults()
        case .hook(let id): try await directory.hook(id)?.defaults ?? EntranceDefaults()
        case .command: EntranceDefaults()
        }
    }

    private func record(_ logger: Logger, _ commit: () async throws -> Void) async {
        do {
            try await commit()
        } catch {
            // The message stays taken until the next start, where its crash count decides.
            logger.error("the message's state could not be stored", ["reason": String(describing: error)])
        }
    }
}

extension MessageContent {
    /// The stored pictures, in the order of the items.
    fileprivate var pictures: [StoredBytes] {
        items.compactMap { item in
            guard case .image(let image) = item.kind else { return nil }
            return image.bytes
        }
    }
}

extension NewItem {
    fileprivate var isPicture: Bool {
        if case .image = kind { true } else { false }
    }
}
