import Administration
import PinpostCore

extension Command {
    static let quarantineShow = Command(
        "quarantine show", "show why a mail is in quarantine, or the mail itself",
        operands: [SharedFlags.heldMail], flags: [AnyFlag(SharedFlags.source)]
    ) { arguments, context in
        let id = arguments.operands[0]
        if arguments.has(SharedFlags.source) {
            try await context.writeSource { ReadSource(heldMail: id, offset: $0) }
            return .done
        }
        let mail = try await context.perform(ShowHeldMail(id: id))
        try context.print(mail) { mail in
            TextTable([
                ["mail", mail.id], ["reason", mail.reason], ["message", mail.message ?? "none yet"],
                ["tenant", mail.tenant ?? "nobody's"], ["from", mail.sender ?? "not known"],
                ["mailbox", mail.mailbox ?? "none"], ["bytes", String(mail.bytes)],
                ["received", mail.received.forPeople], ["held since", mail.held.forPeople],
                ["goes", mail.expires.forPeople],
            ]).text
        }
        return .done
    }
}

struct ShowHeldMail: AdminAction {
    static let name = "quarantine.show"
    var id: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> HeldMailReport {
        try await desk.quarantine.report(of: try await desk.quarantine.mail(id))
    }
}
