import Mail
import PinpostCore

/// Who is believed about the sender of a mail: that depends on the way by which it came.
struct SenderTrust: Sendable {
    let mailboxes: any MailboxDirectory
    /// For mail from LMTP and the pipe.
    let local: [AuthServerPattern]

    /// Nobody for mail of a mailbox that is not watched any more.
    func servers(for envelope: Envelope) async throws(StoreError) -> [AuthServerPattern] {
        guard let id = envelope.mailbox else { return local }
        return try await mailboxes.mailboxes().first { $0.id == id }?.settings.trustedServers ?? []
    }

    /// Whether no server at all is believed.
    func isNobody() async throws(StoreError) -> Bool {
        guard local.isEmpty else { return false }
        return try await mailboxes.mailboxes().allSatisfy(\.settings.trustedServers.isEmpty)
    }

    /// Whether the From of a mail is its sender's; false once its bytes are gone.
    func proves(_ message: Message, in blobs: any BlobStore, pool: BlockingPool) async throws(StoreError) -> Bool {
        guard let body = message.body else { return false }
        let servers = try await servers(for: message.envelope)
        return try await pool.run { () throws(StoreError) in
            try MailReader.sender(of: try blobs.open(body), trusting: servers).provenFrom != nil
        }
    }
}
