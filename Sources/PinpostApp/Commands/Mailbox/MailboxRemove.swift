import Administration

extension Command {
    static let mailboxRemove = removal(
        of: "mailbox", "mailbox remove", "watch a mailbox no more; the mails in it stay",
        operands: [MailboxFlags.name]
    ) { RemoveMailbox(mailbox: $0[0], rehearsal: $1) }
}

struct RemoveMailbox: AdminAction {
    static let name = "mailbox.remove"
    var mailbox: String
    var rehearsal: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> Removal {
        try await desk.mailboxes.administration.remove(mailbox, rehearsal: rehearsal)
    }
}
