import Cryptography
import CurlKit
import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import PinryClient
import StoreSQLite
import Testing

@Suite("From a mail over its pin to the answer", .timeLimit(.minutes(10)))
struct MailReplyTests {
    @Test("the sender is told the pin's page, once, and the mail's bytes go")
    func wholeWay() async throws {
        try await DeliveryStage.open { stage in
            let desk = try ReplyDesk(stage)
            let message = try await desk.receive()
            #expect(try await desk.answer() == 0)
            try await stage.work()
            #expect(try await desk.answer() == 1)
            let pin = try #require(stage.pinry.pins.first)
            let answer = try #require(desk.sink.mails.first)
            #expect(answer.recipients == ["ada@example.net"] && answer.from.isEmpty)
            #expect(answer.text.contains("In-Reply-To: <1@example.net>\r\n"))
            #expect(
                answer.text.replacing("=\r\n", with: "").contains("\(stage.server.baseURL)/pins/\(pin.id.rawValue)"))
            #expect(try await desk.answer() == 0)
            #expect(desk.sink.mails.count == 1)
            let done = try #require(try await stage.store.message(message))
            #expect(done.state == .done && done.body == nil)
        }
    }

    @Test("a Pinry that is away for ten minutes is told of, and nothing afterwards")
    func stillTrying() async throws {
        try await DeliveryStage.open { stage in
            let desk = try ReplyDesk(stage)
            stage.pinry.misbehave([PinryFault(.status(503), .before, on: "POST /api/v2/images/")])
            try await desk.receive()
            try await stage.work()
            stage.clock.move(by: 601)
            #expect(try await desk.answer() == 1)
            #expect(desk.sink.mails.first?.text.contains("this is being tried again") == true)
            stage.pinry.misbehave([])
            stage.clock.move(by: 7_200)
            try await stage.work()
            #expect(stage.pinry.pins.count == 1)
            #expect(try await desk.answer() == 0)
        }
    }

    @Test("a process that dies between sending and settling repeats the answer under the same Message-ID")
    func crash() async throws {
        try await DeliveryStage.open { stage in
            let desk = try ReplyDesk(stage)
            try await desk.receive()
            try await stage.work()
            let reply = try #require(try await desk.take().first)
            try await desk.channel.send(reply)
            try await stage.crash()
            // Nobody else sends answers: what was taken before the start is due at once.
            #expect(try await desk.answer() == 1)
            let ids = desk.sink.mails.map { mail in
                mail.text.split(separator: "\r\n").first { $0.hasPrefix("Message-ID:") }
            }
            #expect(ids.count == 2 && ids[0] != nil && ids[0] == ids[1])
        }
    }
}

/// The parts around a delivery stage that take mails in and give answers out.
private struct ReplyDesk {
    let stage: DeliveryStage
    let sink: SMTPSink
    private let pool = BlockingPool(width: 2)

    init(_ stage: DeliveryStage) throws {
        self.stage = stage
        sink = try SMTPSink()
    }

    private var surroundings: Surroundings {
        Surroundings(now: { [clock = stage.clock] in clock.now }, random: { SystemRandom() })
    }

    var channel: MailReplies {
        get throws {
            let voice = ReplyVoice(
                from: try #require(MailAddress("pins@example.org")),
                addressing: try #require(MailAddressing(mailAddress: "pins@example.org")))
            let target = StreamTarget(host: "127.0.0.1", port: sink.port, encryption: .none)
            return MailReplies(
                smtp: SMTPClient(target, name: "example.org", pool: pool), login: { nil }, voice: voice,
                gate: stage.store, blobs: stage.store, pool: pool, isSenderTrusted: { _ in true },
                surroundings: surroundings)
        }
    }

    /// A mail with one picture comes in and is split.
    @discardableResult
    func receive() async throws -> Message.ID {
        var random = SystemRandom()
        let picture = Data(TestPicture.png(seed: 7)).base64EncodedString()
        let mail = """
            From: Ada <ada@example.net>
            Subject: Holiday
            Message-ID: <1@example.net>
            Content-Type: image/png; name=sea.png
            Content-Disposition: attachment
            Content-Transfer-Encoding: base64

            \(picture)

            """
        let store = stage.store
        let message = try await store.accept(
            ReceivedMessage(
                id: surroundings.makeID(), tenant: stage.tenant.id, route: .command, source: .mail,
                deliveryKey: random.bytes(32), body: try store.store(Array(mail.utf8)),
                envelope: Envelope(sender: "ada@example.net"), receivedAt: stage.clock.now)
        ).message
        for taken in try await store.takeAccepted(upTo: 1, now: stage.clock.now) { try await splitter().split(taken) }
        return message
    }

    private func splitter() throws -> Splitter {
        let boards = BoardCatalog(directory: stage.store, accounts: stage.accounts, pinry: try stage.remote)
        return Splitter(
            queue: stage.store, quarantine: stage.store, directory: stage.store, boards: boards,
            reader: MailAlone(blobs: stage.store),
            blobs: stage.store, pool: pool, surroundings: surroundings, logger: .silent)
    }

    func take() async throws -> [OwedReply] {
        try await stage.store.takeReplies(upTo: 4, now: stage.clock.now, until: stage.clock.now + 300)
    }

    /// Sends and settles what is due, and says how many answers there were.
    func answer() async throws -> Int {
        let replies = try await take()
        for reply in replies {
            try await channel.send(reply)
            try await stage.store.settle(reply, as: .sent, now: stage.clock.now)
        }
        return replies.count
    }
}

private struct MailAlone: MessageReader {
    let blobs: any BlobStore

    func read(_ message: Message, knownBoards: [String]) async throws(ReadingError) -> MessageContent {
        guard let body = message.body else { throw ReadingError(.unreadable, "gone") }
        do {
            return try MailReader().read(blobs.open(body), into: blobs, knownBoards: knownBoards)
        } catch {
            throw ReadingError(.unreadable, String(describing: error))
        }
    }
}
