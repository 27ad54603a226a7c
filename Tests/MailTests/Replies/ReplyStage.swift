import CurlKit
import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import Synchronization

/// Answers from `pins@example.org` through a mail server that keeps them.
struct ReplyStage: Sendable {
    static let voice: ReplyVoice? = make("pins@example.org")

    let sink: SMTPSink
    let gate = CountingGate()
    var isTrusted = true
    var voice: ReplyVoice

    static func make(_ address: String) -> ReplyVoice? {
        guard let from = MailAddress(address), let addressing = MailAddressing(mailAddress: address) else { return nil }
        return ReplyVoice(from: from, addressing: addressing)
    }

    init(as address: String = "pins@example.org") throws {
        sink = try SMTPSink()
        guard let voice = Self.make(address) else { throw ReplyError(.refused, "no address") }
        self.voice = voice
    }

    var channel: MailReplies {
        let pool = BlockingPool(width: 1)
        let target = StreamTarget(host: "127.0.0.1", port: sink.port, encryption: .none)
        return MailReplies(
            smtp: SMTPClient(target, name: "example.org", pool: pool), login: { nil }, voice: voice, gate: gate,
            blobs: InlineBlobs(), pool: pool, isSenderTrusted: { [isTrusted] _ in isTrusted },
            surroundings: Surroundings(
                now: { Date(timeIntervalSince1970: 1_750_000_000) }, random: { SystemRandomNumberGenerator() }))
    }

    func send(_ reply: OwedReply) async throws(ReplyError) { try await channel.send(reply) }

    /// The answer to a mail as it arrived; nil when it was withheld.
    func answer(to reply: OwedReply) async throws -> SMTPSink.Mail? {
        let before = sink.mails.count
        do throws(ReplyError) {
            try await send(reply)
        } catch {
            guard error.code == .withheld else { throw error }
        }
        return sink.mails.count > before ? sink.mails.last : nil
    }
}

/// Admits ten, and remembers whom.
final class CountingGate: ReplyGate {
    private let state = Mutex((limit: 10, correspondents: [[UInt8]]()))

    var correspondents: [[UInt8]] { state.withLock { $0.correspondents } }
    func close() { state.withLock { $0.limit = 0 } }

    func admit(
        _ reply: OwedReply, to correspondent: [UInt8], within limits: ReplyLimits, now: Date
    ) async throws(StoreError) -> Bool {
        state.withLock { state in
            guard state.correspondents.count < state.limit else { return false }
            state.correspondents.append(correspondent)
            return true
        }
    }
}

struct InlineBlobs: BlobStore {
    func makeWriter() -> any BlobWriter { MeasuringBlobStore().makeWriter() }
    func discard(_ bytes: StoredBytes) {}
    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader {
        guard case .inline(let content) = bytes.place else { throw StoreError(.notFound) }
        return MemoryReader(content)
    }
}

extension OwedReply {
    static let plainMail = """
        Return-Path: <ada@example.net>
        From: Ada <ada@example.net>
        To: pins+abcdefghij@example.org
        Subject: Holiday
        Message-ID: <1@example.net>

        Look!

        """

    /// An answer to `mail` of Ada's tenant, whose Pinry is `https://pinry.example`.
    static func fixture(
        to mail: String = plainMail, items: [Item] = [.fixture(0, pin: 21)], skipped: [SkippedPart] = [],
        note: String? = nil, sender: String? = "ada@example.net", replies: Tenant.Replies? = nil
    ) -> OwedReply {
        let body = StoredBytes(place: .inline(Array(mail.utf8)), count: mail.utf8.count, sha256: [])
        let message = Message(
            id: Identifier("m1"), tenant: Identifier("t1"), route: .address(Identifier("a1")), source: .mail,
            body: body, envelope: Envelope(sender: sender), state: .done, reason: note, skipped: skipped,
            receivedAt: Date(timeIntervalSince1970: 1_750_000_000))
        var tenant = Tenant(
            id: Identifier("t1"), slug: "ada", server: Identifier("s1"), createdAt: message.receivedAt)
        tenant.preferences.replies = replies
        return OwedReply(
            message: message, items: items, tenant: tenant,
            server: Server(id: Identifier("s1"), baseURL: "https://pinry.example"), attempt: 1,
            triedSince: message.receivedAt)
    }
}

extension Item {
    static func fixture(
        _ sequence: Int, name: String = "a.jpg", _ state: State = .done, pin: Int64? = nil, reason: String? = nil
    ) -> Item {
        Item(
            id: Identifier("i\(sequence)"), tenant: Identifier("t1"), server: Identifier("s1"),
            message: Identifier("m1"), sequence: sequence,
            kind: .image(StoredBytes(place: .inline([]), count: 0, sha256: []), name: name),
            draft: PinDraft(description: ""), step: state == .done ? .done : .upload, state: state, attempt: 1,
            ambiguousUntil: nil, facts: Facts(pin: pin.map { PinID($0) }), reason: reason,
            queuedAt: Date(timeIntervalSince1970: 1_750_000_000))
    }
}
