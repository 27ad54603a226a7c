import Administration

extension Command {
    static let mailboxShow = Command(
        "mailbox show", "show a mailbox, and the newest mails that became nothing",
        operands: [MailboxFlags.name], flags: [AnyFlag(SharedFlags.limit)]
    ) { arguments, context in
        let limit = try arguments.value(SharedFlags.limit) ?? SharedFlags.standardLimit
        let shown = try await context.perform(ShowMailbox(mailbox: arguments.operands[0], limit: limit))
        try context.print(shown) { MailboxText.details($0.settings) + MailboxText.quarantine($0.quarantine) }
        return .done
    }
}

struct ShownMailbox: Codable, Sendable {
    var settings: MailboxReport
    var quarantine: [QuarantineLine]
}

struct ShowMailbox: AdminAction {
    static let name = "mailbox.show"
    var mailbox: String
    var limit: Int

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> ShownMailbox {
        let administration = desk.mailboxes.administration
        let found = try await administration.mailbox(named: mailbox)
        return ShownMailbox(
            settings: try await administration.report(of: found),
            quarantine: try await administration.quarantine(of: found, newest: limit))
    }
}
