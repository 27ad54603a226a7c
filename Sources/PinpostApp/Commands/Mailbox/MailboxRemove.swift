import Administration

extension Command {
    static let mailboxRemove = Command(
        "mailbox remove", "watch a mailbox no more; the mails in it stay",
        operands: [MailboxFlags.name], flags: [AnyFlag(SharedFlags.dryRun)]
    ) { arguments, context in
        let removal = try await context.perform(
            RemoveMailbox(mailbox: arguments.operands[0], rehearsal: arguments.has(SharedFlags.dryRun)))
        try context.print(removal, EntranceText.removal("mailbox"))
        return .done
    }
}

struct RemoveMailbox: AdminAction {
    static let name = "mailbox.remove"
    var mailbox: String
    var rehearsal: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> Removal {
        try await desk.mailboxes.administration.remove(mailbox, rehearsal: rehearsal)
    }
}
