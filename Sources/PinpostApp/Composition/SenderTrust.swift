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
}
