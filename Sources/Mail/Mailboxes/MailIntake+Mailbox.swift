internal import PinpostCore

/// Finds in mails of a mailbox for whom they are.
extension MailIntake {
    /// Recipients of one mail that are looked up.
    private static let mostRecipients = 50

    /// Accepts a mail once for each live address in the fields that the mailbox names; without one it is quarantined.
    func take(_ mail: ArrivingMail, in mailbox: WatchedMailbox) async throws(StoreError) -> MailVerdict.Fate {
        let header = mail.header
        let found = try await destinations(in: header, of: mailbox)
        guard !found.isEmpty else {
            let fields = mailbox.settings.recipientHeaders.joined(separator: ", ")
            return .quarantined(reason: "No live address in \(fields).")
        }
        var messages: [Message.ID] = []
        for result in try await accept(mail, for: found, from: Self.sender(in: header), in: mailbox.id) {
            messages.append(try result.get().message)
        }
        return .taken(messages, waits: mailbox.settings.afterwards != .leave || mailbox.settings.failureFolder != nil)
    }

    /// The tenants' addresses among the recipients, each once.
    private func destinations(
        in header: HeaderBlock, of mailbox: WatchedMailbox
    ) async throws(StoreError) -> [Destination] {
        var found: [Destination] = []
        let fields = mailbox.settings.recipientHeaders.flatMap { header.all($0.lowercased()) }
        let recipients = fields.flatMap { AddressList.addresses(in: $0) }.filter { addressing.recipient($0) != nil }
        for recipient in recipients.prefix(Self.mostRecipients) {
            guard let destination = try await destination(of: recipient),
                !found.contains(where: { $0.address.id == destination.address.id })
            else { continue }
            found.append(destination)
        }
        return found
    }

    /// The envelope sender, as the last mail server wrote it down (RFC 5321 section 4.4).
    private static func sender(in header: HeaderBlock) -> String? {
        header.raw("return-path").map { AddressList.addresses(in: $0).first ?? "" }
    }
}
