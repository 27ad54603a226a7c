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

    /// What one attempt may take before the answer is due again, in seconds; longer than any channel waits.
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
        let failure = await failure(of: reply)
        let way = reply.lane == OwedReply.mailLane ? "mail" : "chat"
        meter.count(.replies, way, failure?.code.rawValue ?? "sent")
        do throws(StoreError) {
            if let failure {
                logger.info("answer not sent", ["reason": failure.description])
                try await end(reply, after: failure)
            } else {
                logger.info("answer sent")
                try await settle(reply, as: .sent)
            }
        } catch {
            // It is due again by itself, and its attempts are counted.
            logger.error("what became of an answer could not be stored", ["reason": error.description])
        }
        lanes.leave(reply.lane, isReachable: failure?.code != .unavailable)
    }
}

extension ReplyService {
    private func failure(of reply: OwedReply) async -> ReplyError? {
        do throws(ReplyError) {
            try await attempt(reply)
            return nil
        } catch {
            return error
        }
    }

    private func attempt(_ reply: OwedReply) async throws(ReplyError) {
        guard reply.attempt <= Self.mostAttempts else { throw ReplyError(.refused, "too many attempts") }
        let channel: (any ReplyChannel)?
        do {
            channel = try await channels.channel(for: reply.message)
        } catch {
            throw ReplyError(.postponed, error.description)
        }
        guard let channel else { throw ReplyError(.withheld, "there is no way back") }
        try await channel.send(reply)
    }

    private func end(_ reply: OwedReply, after error: ReplyError) async throws(StoreError) {
        var random = surroundings.random()
        let next = policy.next(
            after: reply.attempt, retryAfter: error.retryAfter, queuedAt: reply.triedSince, now: surroundings.now(),
            using: &random)
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
