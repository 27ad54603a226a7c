internal import Cryptography
public import CurlKit
internal import FoundationEssentials
public import PinpostCore

/// Answers mails by mail (RFC 3834): once for each, never to programs, never to senders who may be forged.
public struct MailReplies: ReplyChannel {
    private let smtp: SMTPClient
    private let login: @Sendable () async throws(ReplyError) -> StreamLogin?
    private let voice: ReplyVoice
    private let gate: any ReplyGate
    private let blobs: any BlobStore
    private let pool: BlockingPool
    private let isSenderTrusted: @Sendable (Message) async throws(StoreError) -> Bool
    private let surroundings: Surroundings

    /// `isSenderTrusted` says whether the receiving server vouches for the `From` of a message; nobody is answered
    /// without it.
    public init(
        smtp: SMTPClient, login: @escaping @Sendable () async throws(ReplyError) -> StreamLogin?, voice: ReplyVoice,
        gate: any ReplyGate, blobs: any BlobStore, pool: BlockingPool,
        isSenderTrusted: @escaping @Sendable (Message) async throws(StoreError) -> Bool = { _ in false },
        surroundings: Surroundings
    ) {
        self.smtp = smtp
        self.login = login
        self.voice = voice
        self.gate = gate
        self.blobs = blobs
        self.pool = pool
        self.isSenderTrusted = isSenderTrusted
        self.surroundings = surroundings
    }

    public func send(_ reply: OwedReply) async throws(ReplyError) {
        try ReplyRules.checkWish(for: reply)
        guard try await isTrusted(reply.message) else {
            throw ReplyError(.withheld, "the sender is not authenticated")
        }
        let header = try await header(of: reply.message)
        let recipient = try ReplyRules.recipient(of: header, envelope: reply.message.envelope, voice: voice)
        try await admit(reply, to: recipient)
        let mail = ReplyMail(reply, to: recipient, answering: header, voice: voice, date: surroundings.now())
        try await hand(over: mail)
    }

    private func isTrusted(_ message: Message) async throws(ReplyError) -> Bool {
        do throws(StoreError) {
            return try await isSenderTrusted(message)
        } catch {
            throw ReplyError(.postponed, error.description)
        }
    }

    private func header(of message: Message) async throws(ReplyError) -> HeaderBlock {
        guard let body = message.body else { throw ReplyError(.withheld, "the mail is gone") }
        do {
            return try await pool.run { [blobs] () throws(StoreError) in
                var mail = MailFingerprint()
                let reader = try blobs.open(body)
                while mail.isInHeader {
                    let piece = try reader.read(upTo: 16 << 10)
                    guard !piece.isEmpty else { break }
                    mail.update(piece)
                }
                return HeaderBlock(block: mail.header)
            }
        } catch {
            throw ReplyError(.postponed, error.description)
        }
    }

    private func admit(_ reply: OwedReply, to recipient: MailAddress) async throws(ReplyError) {
        let correspondent = SHA256.hash(Array(recipient.description.lowercased().utf8))
        let isAdmitted: Bool
        do {
            isAdmitted = try await gate.admit(
                reply, to: correspondent, within: ReplyLimits(), now: surroundings.now())
        } catch {
            throw ReplyError(.postponed, error.description)
        }
        guard isAdmitted else { throw ReplyError(.withheld, "enough answers were sent for the moment") }
    }

    private func hand(over mail: ReplyMail) async throws(ReplyError) {
        do {
            try await smtp.send(mail.bytes, to: mail.recipient, as: try await login())
        } catch let error as SMTPError {
            throw ReplyError(error)
        } catch let error as ReplyError {
            throw error
        } catch {
            throw ReplyError(.unavailable, String(describing: error))
        }
    }
}

extension ReplyError {
    fileprivate init(_ error: SMTPError) {
        let code: Code =
            switch error.code {
            case .refused: .refused
            case .postponed: .postponed
            case .unavailable: .unavailable
            }
        self.init(code, error.detail)
    }
}

/// As whom answers are written.
public struct ReplyVoice: Sendable {
    /// `From` of every answer.
    public let from: MailAddress
    /// What our own addresses look like: they are never answered, and their tokens never quoted.
    public let addressing: MailAddressing

    public init(from: MailAddress, addressing: MailAddressing) {
        self.from = from
        self.addressing = addressing
    }
}
