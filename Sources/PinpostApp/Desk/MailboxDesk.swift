import Administration
import Mail
import PinpostCore

/// What the verbs about mailboxes work with.
struct MailboxDesk: Sendable {
    let administration: MailboxAdministration
    let trial: MailboxTrial
    let service: MailboxService
}
