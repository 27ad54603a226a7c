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

    init(blobs: any BlobStore, pool: BlockingPool, messageBytes: Int, trust: SenderTrust) {
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
        do throws(StoreError) {
            servers = try await trust.servers(for: message.envelope)
        } catch {
            throw ReadingError(error)
        }
        return try await pool.run { [mail, blobs] () throws(ReadingError) in
            do throws(MailError) {
                let source: any BlobReader
                do throws(StoreError) { source = try blobs.open(body) } catch { throw MailError(error) }
                return try mail.read(source, into: blobs, knownBoards: knownBoards, trusting: servers)
            } catch {
                throw error.cause.map(ReadingError.init) ?? ReadingError(.unreadable, error.description)
            }
        }
    }
}
