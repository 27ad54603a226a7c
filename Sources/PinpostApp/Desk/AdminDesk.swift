import Administration
import Hooks
import Mail
import PinpostCore

/// The parts of an opened data folder that admin actions work with.
struct AdminDesk: Sendable {
    let administration: TenantAdministration
    let directory: any TenantDirectory
    let history: any MessageHistory
    let intake: Intake
    let mail: MailIntake
    /// The largest mail that is taken.
    let mailBytes: Int
    let mailboxes: MailboxDesk
    let quarantine: QuarantineAdministration
    let providers: ProviderDesk
    let addressing: MailAddressing
    let trust: SenderTrust
    /// Whether a server is there that takes answers to mails.
    let answersMail: Bool
}

/// Takes messages from the command line: bytes first, then the row.
struct Intake: Sendable {
    let sink: any MessageSink
    let blobs: any BlobStore
    let pool: BlockingPool
    let surroundings: Surroundings

    /// Stores a body; an empty one and one over the limit are refused, and leave nothing behind.
    func store(_ body: any AdminBody, limit: Int) async throws -> StoredBytes {
        let writer = BodyWriter(blobs.makeWriter())
        do {
            var count = 0
            while true {
                let piece = try await body.next()
                guard !piece.isEmpty else { break }
                count += piece.count
                guard count <= limit else {
                    throw Failure("too_large", "The input is over \(limit / 1_048_576) MiB.", exit: .wrongData)
                }
                try await pool.run { () throws(StoreError) in try writer.write(piece) }
            }
            guard count > 0 else { throw Failure("empty", "The input is empty.", exit: .wrongData) }
            return try await pool.run { () throws(StoreError) in try writer.finish() }
        } catch {
            await pool.run { writer.discard() }
            throw error
        }
    }

    /// Hands a message over; the bytes of a repeat go.
    func accept(_ message: ReceivedMessage) async throws -> Acceptance {
        do {
            let acceptance = try await sink.accept(message)
            if acceptance.isRepeat { await discard(message.body) }
            return acceptance
        } catch {
            await discard(message.body)
            throw error
        }
    }

    private func discard(_ bytes: StoredBytes) async { await pool.run { [blobs] in blobs.discard(bytes) } }
}

/// Carries a writer to the threads of the pool.
///
/// `@unchecked Sendable` is safe: `Intake.store` awaits each call before it makes the next.
private final class BodyWriter: @unchecked Sendable {
    private let writer: any BlobWriter

    init(_ writer: any BlobWriter) { self.writer = writer }

    func write(_ piece: [UInt8]) throws(StoreError) {
        let writer = writer
        let result = piece.withUnsafeBytes { bytes in Result { () throws(StoreError) in try writer.write(bytes) } }
        try result.get()
    }

    func finish() throws(StoreError) -> StoredBytes { try writer.finish() }
    func discard() { writer.discard() }
}
