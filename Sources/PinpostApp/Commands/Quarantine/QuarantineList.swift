import Administration
import PinpostCore

extension Command {
    static let quarantineList = Command(
        "quarantine list", "list mails that wait for a person: unknown addresses, senders who are not trusted",
        flags: [AnyFlag(SharedFlags.limit)],
        notes: """
            They are never answered, and go by themselves: after PINPOST_QUARANTINE_DAYS, or the oldest when a tenant has
            over PINPOST_QUARANTINE_MAILS or PINPOST_QUARANTINE_MIB.
            """
    ) { arguments, context in
        let mails = try await context.perform(
            ListHeldMails(limit: try arguments.value(SharedFlags.limit) ?? SharedFlags.standardLimit))
        try context.print(mails, text)
        return .done
    }

    private static func text(_ mails: [HeldMailReport]) -> String {
        guard !mails.isEmpty else { return "Nothing is in quarantine.\n" }
        return TextTable(
            titles: ["ID", "RECEIVED", "TENANT", "FROM", "BYTES", "REASON"],
            mails.map { mail in
                [
                    mail.id, mail.received.forPeople, mail.tenant ?? "-", mail.sender ?? "-", String(mail.bytes),
                    mail.reason,
                ]
            }
        ).text
    }
}

struct ListHeldMails: AdminAction {
    static let name = "quarantine.list"
    var limit: Int

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> [HeldMailReport] {
        try await desk.quarantine.list(newest: limit)
    }
}
