import Administration
import PinpostCore

extension Command {
    static let quarantineList = Command(
        "quarantine list", "list mails that wait for a person: unknown addresses, senders who are not trusted",
        flags: [AnyFlag(SharedFlags.limit)],
        notes: "They are never answered, and go by themselves after 30 days, or when there are over 1,000 or 512 MiB."
    ) { arguments, context in
        let mails = try await context.perform(
            ListHeldMails(limit: try arguments.value(SharedFlags.limit) ?? SharedFlags.standardLimit))
        try context.print(mails, text)
        return .done
    }

    private static func text(_ mails: [HeldMailReport]) -> String {
        guard !mails.isEmpty else { return "Nothing is in quarantine.\n" }
        return TextTable(
            titles: ["ID", "HELD", "TENANT", "FROM", "BYTES", "REASON"],
            mails.map { mail in
                [
                    mail.id, mail.held.forPeople, mail.tenant ?? "-", mail.sender ?? "-", String(mail.bytes),
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
