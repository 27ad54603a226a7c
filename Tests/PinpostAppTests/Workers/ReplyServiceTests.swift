import Cryptography
import FoundationEssentials
import PinpostCore
import PinpostTesting
import StoreSQLite
import Synchronization
import Testing

@testable import PinpostApp

@Suite("The worker that answers senders", .timeLimit(.minutes(10)))
struct ReplyServiceTests {
    @Test("asks the channel of the message's way, once")
    func sent() async throws {
        try await Outbox.open { outbox in
            let message = try await outbox.owe()
            #expect(await outbox.service.sendDue() == 1)
            #expect(await outbox.service.sendDue() == 0)
            #expect(outbox.channel.sent == [message])
            #expect(try await outbox.store.message(message)?.body == nil)
        }
    }

    @Test("settles at once where no way leads back")
    func noChannel() async throws {
        try await Outbox.open(provider: "camera") { outbox in
            try await outbox.owe()
            #expect(await outbox.service.sendDue() == 1)
            #expect(outbox.channel.sent.isEmpty)
            #expect(try await outbox.store.nextReply() == nil)
        }
    }

    @Test("gives up at once what is refused or withheld", arguments: [ReplyError.Code.refused, .withheld])
    func final(_ code: ReplyError.Code) async throws {
        try await Outbox.open { outbox in
            outbox.channel.fail(with: ReplyError(code, "no"))
            try await outbox.owe()
            #expect(await outbox.service.sendDue() == 1)
            #expect(try await outbox.store.nextReply() == nil)
        }
    }

    @Test("tries again what cannot be sent now, for a day")
    func horizon() async throws {
        try await Outbox.open { outbox in
            outbox.channel.fail(with: ReplyError(.unavailable, "451"))
            try await outbox.owe()
            var times: [Date] = []
            while let due = try await outbox.store.nextReply(), times.count < 30 {
                outbox.clock.now = max(outbox.clock.now, due)
                times.append(outbox.clock.now)
                #expect(await outbox.service.sendDue() == 1)
            }
            #expect((6...10).contains(times.count))
            let span = try #require(times.last).timeIntervalSince(.noon)
            #expect(span > 43_200 && span < 2 * 86_400)
        }
    }

    @Test(
        "an answer that has to wait says nothing about its lane, one that does not arrive does",
        arguments: [(ReplyError.Code.postponed, 4), (.unavailable, 1)])
    func lanes(_ code: ReplyError.Code, _ expected: Int) async throws {
        try await Outbox.open { outbox in
            let service = outbox.service
            outbox.channel.fail(with: ReplyError(code, "not now", retryAfter: 90))
            try await outbox.owe()
            #expect(await service.sendDue() == 1)
            #expect(try await outbox.store.nextReply() == .noon + 90)
            for chat in 0..<6 { try await outbox.owe(to: ["chat": "\(chat)"]) }
            #expect(await service.sendDue() == expected)
        }
    }

    @Test("the next lane in turn goes first")
    func turns() {
        let lanes = ReplyLanes()
        lanes.enter("b")
        lanes.leave("b", isReachable: true)
        #expect(lanes.room.previous == "b")
    }

    @Test("waits as long as the other side asks")
    func retryAfter() async throws {
        try await Outbox.open { outbox in
            outbox.channel.fail(with: ReplyError(.unavailable, "429", retryAfter: 90))
            try await outbox.owe()
            #expect(await outbox.service.sendDue() == 1)
            #expect(try await outbox.store.nextReply() == .noon + 90)
        }
    }

    @Test("gives up an answer that never comes back from its channel")
    func deadly() async throws {
        try await Outbox.open { outbox in
            try await outbox.owe()
            // Ten processes died on it.
            for _ in 0..<10 {
                _ = try await outbox.store.takeReplies(upTo: 1, now: .noon, until: .noon)
            }
            #expect(await outbox.service.sendDue() == 1)
            #expect(outbox.channel.sent.isEmpty)
            #expect(try await outbox.store.nextReply() == nil)
        }
    }

    @Test("a place that is silent keeps answers to other places from nothing")
    func silentPlace() async throws {
        try await Outbox.open { outbox in
            let silent = SilentChannel()
            let other = try await outbox.addHook(provider: "slack")
            let service = outbox.service(["telegram": silent, "slack": outbox.channel])
            for chat in 0..<200 { try await outbox.owe(to: ["chat": "\(chat)"]) }
            let message = try await outbox.owe(by: other)
            let shutdown = Shutdown()
            let running = Task { try await service.run(until: shutdown) }
            // The two channels begin in either order.
            await outbox.channel.signal.wait(after: 0, upTo: Patience.limit)
            await silent.signal.wait(after: 0, upTo: Patience.limit)
            #expect(outbox.channel.sent == [message])
            #expect((1...4).contains(silent.begun))
            shutdown.request()
            silent.end()
            try await running.value
            #expect(silent.begun < 20)
        }
    }

    @Test("a Pinry that hangs keeps orders waiting, and no answer in any chat")
    func hangingPinry() async throws {
        try await Outbox.open { outbox in
            let channel = HangingOrders()
            for chat in 0..<20 { try await outbox.owe(to: ["chat": "\(chat)"], undo: UndoOrder(message: nil)) }
            let message = try await outbox.owe(to: ["chat": "x"])
            let service = outbox.service(["telegram": channel])
            let shutdown = Shutdown()
            let running = Task { try await service.run(until: shutdown) }
            await channel.answers.signal.wait(after: 0, upTo: .seconds(60))
            #expect(channel.answers.sent == [message])
            shutdown.request()
            channel.orders.end()
            try await running.value
        }
    }

    @Test("tries an order for the last time while its sender can still be told, then tells him")
    func orderPatience() async throws {
        try await Outbox.open { outbox in
            let order = try await outbox.owe(undo: UndoOrder(message: nil))
            outbox.channel.fail(with: ReplyError(.postponed, "being pinned"))
            var times: [Date] = []
            while let due = try await outbox.store.nextReply(), times.last != .noon + OwedReply.orderPatience {
                outbox.clock.now = max(outbox.clock.now, due)
                times.append(outbox.clock.now)
                #expect(await outbox.service.sendDue() == 1)
            }
            #expect(times.count == 5 && times.last == .noon + 600)
            outbox.channel.fail(with: nil)
            outbox.clock.now = try #require(try await outbox.store.nextReply())
            #expect(await outbox.service.sendDue() == 1)
            #expect(outbox.channel.sent.isEmpty)
            #expect(await outbox.service.sendDue() == 1)
            #expect(outbox.channel.sent == [order])
            #expect(try await outbox.store.nextReply() == nil)
        }
    }

    @Test("sends as soon as a message is done, and ends when asked")
    func service() async throws {
        try await Outbox.open { outbox in
            let shutdown = Shutdown()
            let running = Task { try await outbox.service.run(until: shutdown) }
            let generation = outbox.channel.signal.generation
            let message = try await outbox.owe()
            await outbox.channel.signal.wait(after: generation, upTo: Patience.limit)
            shutdown.request()
            try await running.value
            #expect(outbox.channel.sent == [message])
        }
    }
}

/// A store with one tenant and one hook, and the worker before it.
private struct Outbox: Sendable {
    let store: SQLiteStore
    let hook: Hook
    let clock = Clock()
    let channel = RecordingChannel()

    static func open(provider: String = "telegram", _ body: (Outbox) async throws -> Void) async throws {
        let surroundings = Surroundings(now: { .noon }, random: { SystemRandom() })
        let folder = "/tmp/pinpost-outbox-\(surroundings.makeID() as Identifier<Outbox>)"
        let store = try await SQLiteStore.open(in: folder, now: .noon)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = Server(id: surroundings.makeID(), baseURL: "https://pinry.example")
        let tenant = Tenant(id: surroundings.makeID(), slug: "ada", server: server.id, createdAt: .noon)
        try await store.add(tenant, on: server)
        let hook = Hook(
            id: surroundings.makeID(), tenant: tenant.id, provider: provider, tokenHashes: [], defaults: .init(),
            createdAt: .noon)
        try await store.add(hook)
        try await body(Outbox(store: store, hook: hook))
        await store.close()
    }

    var surroundings: Surroundings { Surroundings(now: { [clock] in clock.now }, random: { SystemRandom() }) }

    var service: ReplyService { service(["telegram": channel]) }

    func service(_ providers: [String: any ReplyChannel]) -> ReplyService {
        ReplyService(
            queue: store, channels: ReplyChannels(directory: store, providers: providers),
            arrivals: store.messagesFinished, surroundings: surroundings,
            logger: .silent)
    }

    func addHook(provider: String) async throws -> Hook {
        let hook = Hook(
            id: surroundings.makeID(), tenant: hook.tenant, provider: provider, tokenHashes: [], defaults: .init(),
            createdAt: .noon)
        try await store.add(hook)
        return hook
    }

    /// A message that is done and whose sender waits.
    @discardableResult
    func owe(
        by other: Hook? = nil, to chat: [String: String] = [:], undo: UndoOrder? = nil
    ) async throws -> Message.ID {
        let hook = other ?? hook
        var random = SystemRandom()
        let body = StoredBytes(place: .inline([1]), count: 1, sha256: SHA256.hash("x"))
        var envelope = Envelope(reply: ReplyAddress(fields: chat))
        envelope.undo = undo
        let message = try await store.accept(
            ReceivedMessage(
                id: surroundings.makeID(), tenant: hook.tenant, route: .hook(hook.id), source: .hook,
                deliveryKey: random.bytes(32), body: body, envelope: envelope, receivedAt: .noon)
        ).message
        _ = try await store.takeAccepted(upTo: 1, now: .noon)
        try await store.split(message, into: [], skipped: [], note: nil, owesReply: true, now: .noon)
        return message
    }
}

extension Date {
    fileprivate static let noon = Date(timeIntervalSince1970: 1_750_000_000)
}

private final class Clock: Sendable {
    private let time = Mutex(Date.noon)
    var now: Date {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}

/// A provider that takes the request and says nothing.
private final class SilentChannel: ReplyChannel {
    private let state = Mutex(0)
    private let over = Shutdown()
    let signal = Signal()

    var begun: Int { state.withLock { $0 } }
    func end() { over.request() }

    func send(_: OwedReply) async throws(ReplyError) {
        state.withLock { $0 += 1 }
        signal.fire()
        await over.wait()
        throw ReplyError(.unavailable, "no answer")
    }
}

/// A chat that is there, before a Pinry that is not.
private final class HangingOrders: ReplyChannel {
    let answers = RecordingChannel()
    let orders = SilentChannel()

    func send(_ reply: OwedReply) async throws(ReplyError) { try await answers.send(reply) }

    func carryOut(_: UndoOrder, of reply: OwedReply) async throws(ReplyError) -> UndoOutcome {
        try await orders.send(reply)
        return UndoOutcome("done", isDone: true)
    }
}

private final class RecordingChannel: ReplyChannel {
    private let state = Mutex((sent: [Message.ID](), failure: ReplyError?.none))
    let signal = Signal()

    var sent: [Message.ID] { state.withLock { $0.sent } }
    func fail(with error: ReplyError?) { state.withLock { $0.failure = error } }

    func send(_ reply: OwedReply) async throws(ReplyError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        state.withLock { $0.sent.append(reply.message.id) }
        signal.fire()
    }

    func carryOut(_: UndoOrder, of _: OwedReply) async throws(ReplyError) -> UndoOutcome {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return UndoOutcome("done", isDone: true)
    }
}
