import Administration

extension Command {
    static let mailboxList = Command("mailbox list", "list the watched mailboxes and how they are doing") {
        _, context in
        let reports = try await context.perform(ListMailboxes())
        try context.print(reports) { MailboxText.list($0) }
        return .done
    }
}

struct ListMailboxes: AdminAction {
    static let name = "mailbox.list"

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> [MailboxReport] {
        try await desk.mailboxes.administration.reports()
    }
}
