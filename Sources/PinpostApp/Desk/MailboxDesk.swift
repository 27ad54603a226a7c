import Administration
import Mail
import PinpostCore

/// What the verbs about mailboxes work with.
struct MailboxDesk: Sendable {
    let administration: MailboxAdministration
    let trial: MailboxTrial
    let service: MailboxService
    let ports: MailboxPorts

    func authorization(of mailbox: WatchedMailbox) throws(IMAPError) -> MailboxAuthorization {
        try MailboxAuthorization(of: mailbox, ports)
    }
}
