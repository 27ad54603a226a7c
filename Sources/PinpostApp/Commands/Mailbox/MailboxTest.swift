import Administration
import Mail
import PinpostCore

extension Command {
    static let mailboxTest = Command(
        "mailbox test", "log in, open the folder and say what the server can do; nothing is taken",
        operands: [MailboxFlags.name]
    ) { arguments, context in
        let findings = try await context.perform(TestMailbox(mailbox: arguments.operands[0]))
        try context.print(findings) { MailboxText.findings($0) }
        return .done
    }

    static let mailboxProbe = Command(
        "mailbox probe", "show what the newest mail carries: recipients, and who checked its sender",
        operands: [MailboxFlags.name],
        notes: """
            Send a mail to one of your addresses first. Of the fields shown, name the one that your own server stamps with
            `pinpost mailbox set NAME --recipient-header FIELD`; a sender can write To and Cc as he likes, but only who
            knows an address can use it. --trust-authserv takes an id of the second list: the topmost one that your own
            server writes, exact, or .example.org for all below a domain. The last line says what follows from it now.
            """
    ) { arguments, context in
        let probe = try await context.perform(ProbeMailbox(mailbox: arguments.operands[0]))
        try context.print(probe) { MailboxText.probe($0) }
        return .done
    }
}

struct TestMailbox: AdminAction {
    static let name = "mailbox.test"
    var mailbox: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> MailboxTrial.Findings {
        try await desk.mailboxes.trial.test(try await desk.mailboxes.administration.mailbox(named: mailbox))
    }
}

struct ProbeMailbox: AdminAction {
    static let name = "mailbox.probe"
    var mailbox: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> MailboxTrial.Probe {
        let found = try await desk.mailboxes.administration.mailbox(named: mailbox)
        guard let probe = try await desk.mailboxes.trial.probe(found, addressing: desk.addressing) else {
            throw Failure("empty", "There is no mail in \(found.settings.folder).", exit: .refused)
        }
        return probe
    }
}
