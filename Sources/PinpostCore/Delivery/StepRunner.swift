public import FoundationEssentials

/// Performs one step of taken items and commits what it taught.
public struct StepRunner: Sendable {
    private let queue: any DeliveryQueue
    private let directory: any TenantDirectory
    private let prepare: PrepareStep
    private let pinry: PinrySteps
    private let policy: RetryPolicy
    private let quiet: TimeInterval
    private let surroundings: Surroundings
    private let logger: Logger
    private let meter: Meter
    private let places: ServerPlaces

    /// Makes a runner; `quiet` is how many seconds after a lost answer the pins may be read (`PINPOST_PINRY_QUIET`), and
    /// `places` are those of everything that asks these servers.
    public init(
        queue: any DeliveryQueue, directory: any TenantDirectory, prepare: PrepareStep, pinry: PinrySteps,
        policy: RetryPolicy = RetryPolicy(), quiet: TimeInterval, surroundings: Surroundings, logger: Logger,
        meter: Meter = Meter(), places: ServerPlaces = ServerPlaces()
    ) {
        self.places = places
        self.queue = queue
        self.directory = directory
        self.prepare = prepare
        self.pinry = pinry
        self.policy = policy
        self.quiet = quiet
        self.surroundings = surroundings
        self.logger = logger
        self.meter = meter
    }

    /// Takes the next piece of due work but for that of `others`; empty when there is none.
    public func take(
        _ lane: Lane, from lease: ServerLease, passingOver others: Set<Tenant.ID> = []
    ) async throws(StoreError) -> [Item] {
        try await queue.take(lane, from: lease, passingOver: others, now: surroundings.now(), retry: policy)
    }

    /// Performs the step of one item, or the board step of several, and commits every result.
    ///
    /// A store error leaves the items running: whoever holds the lease has to release it, so that an item whose call
    /// was made but not recorded comes back in doubt.
    /// - Returns: The step that comes next, nil when this one failed.
    @discardableResult
    public func perform(_ items: [Item], under lease: ServerLease) async throws(StoreError) -> Item.Step? {
        guard let item = items.first else { return nil }
        let result: StepResult
        do {
            // Preparing asks Pinry seldom, and says so itself.
            result =
                item.step == .prepare
                ? try await attempt(items, .prepare, on: lease.server)
                : try await places.run(for: lease.server) { try await attempt(items, item.step, on: lease.server) }
        } catch {
            try await settle(items, after: StepFailure(other: error), under: lease)
            return nil
        }
        try await commit(result, of: items, under: lease)
        if item.step != .prepare { try await closeBreaker(lease) }
        return result.next
    }

    /// Gives items back as if they had not been taken.
    public func giveBack(_ items: [Item], under lease: ServerLease) async throws(StoreError) {
        try await settle(items, after: StepFailure(.giveBack, "stopped"), under: lease)
    }

    private enum StepResult {
        case progress(PinrySteps.Progress)
        /// What the sender should know of single items.
        case boarded(notes: [Item.ID: String])
        /// The page was pinned by an earlier message.
        case repeated(PinID, note: String)

        var next: Item.Step {
            switch self {
            case .progress(let progress): progress.next
            case .boarded, .repeated: .done
            }
        }
    }

    private func attempt(_ items: [Item], _ step: Item.Step, on server: Server) async throws -> StepResult {
        let item = items[0]
        switch step {
        case .prepare:
            let next: Item.Step = server.dialect == .pinrysaver ? .pin : .upload
            switch try await prepare.perform(item, try await options(for: item)) {
            case .picture(let facts): return .progress(.init(next: next, facts: facts, newestPin: nil))
            case .alreadyPinned(let pin): return .repeated(pin, note: "Already pinned: \(server.page(of: pin))")
            }
        case .upload: return .progress(try await pinry.upload(item, to: server))
        case .pin where server.dialect == .pinrysaver: return .progress(try await pinry.pinAtOnce(item))
        case .pin: return .progress(try await pinry.pin(item))
        case .board: return .boarded(notes: try await pinry.conclude(items))
        case .done: return .boarded(notes: [:])
        }
    }

    /// Asked anew for every item: the server's limit may have been learnt a moment ago.
    private func options(for item: Item) async throws -> ConversionOptions {
        let (server, tenant) = (try await directory.server(item.server), try await directory.tenant(item.tenant))
        return ConversionOptions(
            maximumBytes: server?.uploadLimit, keepsCamera: tenant?.preferences.keepsCamera ?? false)
    }

    private func commit(
        _ result: StepResult, of items: [Item], under lease: ServerLease
    ) async throws(StoreError) {
        switch result {
        case .progress(let progress):
            guard let item = items.first else { return }
            try await queue.advance(
                item.id, to: progress.next, learning: progress.facts, under: lease, now: surroundings.now())
            if let pin = progress.newestPin { try await queue.noteNewestPin(pin, under: lease) }
            logger.debug("step done", ["item": item.id, "step": item.step.rawValue, "attempt": item.attempt])
            if progress.next == .done { try await finish(item, note: nil, under: lease) }
        case .boarded(let notes):
            for item in items { try await finish(item, note: notes[item.id], under: lease) }
        case .repeated(let pin, let note):
            guard let item = items.first else { return }
            try await queue.advance(
                item.id, to: .done, learning: .pinned(pin, board: nil), under: lease, now: surroundings.now())
            try await finish(item, note: note, isNew: false, under: lease)
        }
    }

    private func finish(
        _ item: Item, note: String?, isNew: Bool = true, under lease: ServerLease
    ) async throws(StoreError) {
        let now = surroundings.now()
        try await queue.settle(item.id, as: .done(note: note), under: lease, now: now)
        meter.count(.items, "done")
        if isNew { meter.noteDelay(now.timeIntervalSince(item.queuedAt)) }
        logger.info("pinned", ["item": item.id, "message": item.message, "tenant": item.tenant, "note": note ?? ""])
    }

    private func closeBreaker(_ lease: ServerLease) async throws(StoreError) {
        guard try await queue.failures(of: lease) > 0 else { return }
        try await queue.pause(lease, until: surroundings.now(), failures: 0)
    }

    private func settle(
        _ items: [Item], after failure: StepFailure, under lease: ServerLease
    ) async throws(StoreError) {
        let now = surroundings.now()
        if failure.effect == .stopTenant, let tenant = items.first?.tenant {
            try await queue.stopTenant(tenant, reason: failure.reason)
        }
        if let pause = try await pause(after: failure, under: lease, now: now) {
            try await queue.pause(lease, until: pause.until, failures: pause.failures)
        }
        for item in items {
            logger.warning(
                "step failed",
                [
                    "item": item.id, "tenant": item.tenant, "step": item.step.rawValue, "attempt": item.attempt,
                    "reason": failure.reason,
                ])
            if let (step, facts) = failure.wayBack {
                try await queue.advance(item.id, to: step, learning: facts, under: lease, now: now)
            } else {
                let outcome = outcome(of: item, after: failure, now: now)
                try await queue.settle(item.id, as: outcome, under: lease, now: now)
                meter.count(.items, outcome.code)
            }
        }
    }

    private func pause(
        after failure: StepFailure, under lease: ServerLease, now: Date
    ) async throws(StoreError) -> (until: Date, failures: Int)? {
        var breaker = Breaker(failures: try await queue.failures(of: lease))
        if case .pauseServer(let seconds) = failure.effect {
            return (now + (seconds ?? Breaker.firstPause), breaker.failures)
        }
        guard failure.isServerFailure else { return nil }
        let until = breaker.fail(at: now)
        return (until ?? now, breaker.failures)
    }

    private func outcome(of item: Item, after failure: StepFailure, now: Date) -> Outcome {
        var random = surroundings.random()
        func next(_ retryAfter: TimeInterval? = nil) -> Date? {
            policy.next(after: item.attempt, retryAfter: retryAfter, queuedAt: item.queuedAt, now: now, using: &random)
        }
        let over = Outcome.parked(reason: "given up after 5 days: \(failure.reason)")
        switch failure.effect {
        case .retry(let after):
            // An item in doubt stays in doubt: a reading that failed has shown nothing.
            return next(after).map { .retry(at: $0, reason: failure.reason) } ?? over
        case .reconcile where item.step != .pin:
            // Uploading or boarding twice harms nothing.
            return next().map { .retry(at: $0, reason: failure.reason) } ?? over
        case .reconcile:
            guard let date = next() else { return over }
            return .ambiguous(notBefore: max(date, now + quiet), reason: failure.reason)
        case .park: return .parked(reason: failure.reason)
        case .stopTenant where item.isBeingPinned, .pauseServer where item.isBeingPinned:
            // Whoever said no may have done so after Pinry had committed.
            return .ambiguous(notBefore: now + quiet, reason: failure.reason)
        case .stopTenant, .giveBack, .uploadAgain, .makeSmaller: return .snooze(until: now, reason: failure.reason)
        case .wait(let seconds): return .snooze(until: now + seconds, reason: failure.reason)
        case .pauseServer(let seconds):
            return .snooze(until: now + (seconds ?? Breaker.firstPause), reason: failure.reason)
        }
    }
}

extension Item {
    /// A request that makes the pin was under way, not one that only reads.
    fileprivate var isBeingPinned: Bool { step == .pin && ambiguousUntil == nil }
}
