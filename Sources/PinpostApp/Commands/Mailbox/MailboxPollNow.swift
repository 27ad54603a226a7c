import Administration
import Mail
import PinpostCore

extension Command {
    static let mailboxPollNow = Command(
        "mailbox poll-now", "look into a mailbox at once; a stopped one is tried again",
        operands: [MailboxFlags.name], flags: [AnyFlag(MailboxFlags.again)]
    ) { arguments, context in
        let report = try await context.perform(
            PollMailbox(mailbox: arguments.operands[0], again: arguments.has(MailboxFlags.again)))
        try context.print(report) { MailboxText.details($0) }
        return .done
    }
}

struct PollMailbox: AdminAction {
    static let name = "mailbox.poll_now"
    var mailbox: String
    var again: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> MailboxReport {
        let administration = desk.mailboxes.administration
        let found = try await administration.mailbox(named: mailbox)
        if again { _ = try await administration.readAgain(in: found) }
        if try await administration.report(of: found).state == "stopped" {
            // A new watcher starts, which looks first of all.
            try await administration.resume(mailbox)
        } else if !desk.mailboxes.service.lookNow(at: found.id) {
            try await desk.mailboxes.service.look(at: found)
        }
        return try await administration.report(of: found)
    }
}
