import FoundationEssentials
import PinpostCore

/// Tells senders what became of their messages, each by the way that it came.
struct ReplyService: Service {
    let name = "replies"
    let queue: any ReplyQueue
    let channels: ReplyChannels
    /// Fires when a message has become final.
    let arrivals: Signal
    let surroundings: Surroundings
    let logger: Logger
    var policy = ReplyService.policy
    var meter = Meter()
    private let lanes = ReplyLanes()

    /// What one attempt may take before the answer is due again, in seconds; longer than any channel waits, and more than
    /// twice what `PinUndo` gives a Pinry.
    private static let deadline: TimeInterval = 300
    /// An answer that stops the process, or fails, this often is not tried again.
    private static let mostAttempts = 10
    /// An answer that is a day late helps nobody.
    private static let policy: RetryPolicy = {
        var policy = RetryPolicy()
        policy.horizon = 86_400
        return policy
    }()

    func run(until shutdown: Shutdown) async throws {
        await withDiscardingTaskGroup { group in
            while !shutdown.isRequested {
                let (generation, freed) = (arrivals.generation, lanes.freed.generation)
                let replies = await take()
                for reply in replies { group.addTask { await send(reply) } }
                guard replies.isEmpty else { continue }
                await wait(after: generation, freed, until: shutdown)
            }
        }
    }

    /// Sends what is due, as much as fits at a time, and says how many there were.
    func sendDue() async -> Int {
        let replies = await take()
        await withDiscardingTaskGroup { group in
            for reply in replies { group.addTask { await send(reply) } }
        }
        return replies.count
    }

    /// What is due in lanes that have room; `send` has to follow for each.
    private func take() async -> [OwedReply] {
        do throws(StoreError) {
            let now = surroundings.now()
            let replies = try await queue.takeReplies(within: lanes.room, now: now, until: now + Self.deadline)
            for reply in replies { lanes.enter(reply.lane) }
            return replies
        } catch {
            logger.error("answers cannot be taken", ["reason": error.description])
            return []
        }
    }

    private func wait(after arrival: Int, _ freed: Int, until shutdown: Shutdown) async {
        let pause = await pause()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await arrivals.wait(after: arrival, upTo: pause) }
            group.addTask { await lanes.freed.wait(after: freed, upTo: pause) }
            group.addTask { await shutdown.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    private func send(_ reply: OwedReply) async {
        let logger = logger.with(["message": reply.message.id, "tenant": reply.tenant.id])
        let result = await result(of: reply)
        do throws(StoreError) {
            switch result {
            case .told:
                logger.info("answer sent")
                try await settle(reply, as: .sent)
            case .carriedOut(let outcome):
                logger.info("undo", ["result": outcome.text])
                try await queue.note(outcome, of: reply, now: surroundings.now())
            case .failed(let failure):
                logger.info("answer not sent", ["reason": failure.description])
                try await end(reply, after: failure)
            }
        } catch {
            // It is due again by itself, and its attempts are counted.
            logger.error("what became of an answer could not be stored", ["reason": error.description])
        }
        lanes.leave(reply.lane, isReachable: result.isReachable)
    }
}

extension ReplyService {
    /// What an attempt came to.
    private enum Result {
        case told
        case carriedOut(UndoOutcome)
        case failed(ReplyError)

        var isReachable: Bool {
            if case .failed(let error) = self { error.code != .unavailable } else { true }
        }
    }

    private func result(of reply: OwedReply) async -> Result {
        let way = reply.lane == OwedReply.mailLane ? "mail" : "chat"
        do throws(ReplyError) {
            let outcome = try await attempt(reply)
            if outcome == nil { meter.count(.replies, way, "sent") }
            return outcome.map { .carriedOut($0) } ?? .told
        } catch {
            meter.count(.replies, way, error.code.rawValue)
            return .failed(error)
        }
    }

    /// What came of the order in it; nil: it is told.
    private func attempt(_ reply: OwedReply) async throws(ReplyError) -> UndoOutcome? {
        guard reply.attempt <= Self.mostAttempts else { throw ReplyError(.refused, "too many attempts") }
        let channel: (any ReplyChannel)?
        do {
            channel = try await channels.channel(for: reply.message)
        } catch {
            throw ReplyError(.postponed, error.description)
        }
        guard let channel else { throw ReplyError(.withheld, "there is no way back") }
        if let order = reply.order { return try await channel.carryOut(order, of: reply) }
        try await channel.send(reply)
        return nil
    }

    private func end(_ reply: OwedReply, after error: ReplyError) async throws(StoreError) {
        var random = surroundings.random()
        let now = surroundings.now()
        var next = policy.next(
            after: reply.attempt, retryAfter: error.retryAfter, queuedAt: reply.triedSince, now: now, using: &random)
        // The last attempt at an order comes while its sender can still be told.
        let last = reply.message.receivedAt + OwedReply.orderPatience
        if reply.order != nil, now < last { next = next.map { min($0, last) } }
        if error.code.isTransient, let next {
            try await queue.postpone(reply, until: next, reason: error.detail)
        } else {
            try await settle(reply, as: .notSent(reason: error.detail))
        }
    }

    private func settle(_ reply: OwedReply, as outcome: ReplyOutcome) async throws(StoreError) {
        try await queue.settle(reply, as: outcome, now: surroundings.now())
    }

    /// Until the next answer is due; a store that fails is asked again after the same pause as an empty one.
    private func pause() async -> Duration {
        guard let due = try? await queue.nextReply() else { return .seconds(5) }
        return min(max(.seconds(due.timeIntervalSince(surroundings.now())), .seconds(1)), .seconds(5))
    }
}

/// Which way leads back to the sender of a message.
struct ReplyChannels: Sendable {
    let directory: any TenantDirectory
    var mail: (any ReplyChannel)?
    /// By the hook's provider.
    var providers: [String: any ReplyChannel] = [:]

    /// nil: the message came by a way that leads nowhere back.
    func channel(for message: Message) async throws(StoreError) -> (any ReplyChannel)? {
        switch message.route {
        case .address: mail
        case .hook(let id): try await directory.hook(id).flatMap { providers[$0.provider] }
        case .command: nil
        }
    }
}
