import FoundationEssentials
import Hooks
import Mail
import PinpostCore

/// Gives each stored message to the reader of its kind.
struct StoredMessageReader: MessageReader {
    private let hooks: HookMessageReader
    private let mail: MailReader
    private let blobs: any BlobStore
    private let pool: BlockingPool
    private let trust: SenderTrust
    private let habits: any PictureHabits
    private let now: @Sendable () -> Date

    init(
        blobs: any BlobStore, pool: BlockingPool, messageBytes: Int, trust: SenderTrust, habits: any PictureHabits,
        now: @escaping @Sendable () -> Date
    ) {
        self.habits = habits
        self.now = now
        hooks = HookMessageReader(blobs: blobs, pool: pool)
        var limits = MailLimits()
        // How many become items is the tenant's setting, which the split plan knows.
        limits.items = limits.parts
        limits.messageBytes = messageBytes
        mail = MailReader(limits: limits)
        self.blobs = blobs
        self.pool = pool
        self.trust = trust
    }

    func read(_ message: Message, knownBoards: [String]) async throws(ReadingError) -> MessageContent {
        switch message.source {
        case .mail: try await readMail(message, knownBoards: knownBoards)
        case .hook, .command: try await hooks.read(message, knownBoards: knownBoards)
        }
    }

    private func readMail(_ message: Message, knownBoards: [String]) async throws(ReadingError) -> MessageContent {
        guard let body = message.body else { throw ReadingError(.unreadable, "The mail is gone.") }
        let servers: [AuthServerPattern]
        let usual: Set<[UInt8]>
        do throws(StoreError) {
            servers = try await trust.servers(for: message.envelope)
            usual = try await habits.usualPictures(of: message.tenant, besides: message.id)
        } catch {
            throw ReadingError(error)
        }
        let content = try await pool.run { [mail, blobs] () throws(ReadingError) in
            do throws(MailError) {
                let source: any BlobReader
                do throws(StoreError) { source = try blobs.open(body) } catch { throw MailError(error) }
                return try mail.read(
                    source, into: blobs, knownBoards: knownBoards, trusting: servers, usual: usual)
            } catch {
                throw error.cause.map(ReadingError.init) ?? ReadingError(.unreadable, error.description)
            }
        }
        if !content.layoutPictures.isEmpty {
            // A habit that is noticed one mail later is no reason to hold up this one.
            try? await habits.note(content.layoutPictures, of: message.id, from: message.tenant, now: now())
        }
        return content
    }
}
