internal import PinpostCore

/// Finds in mails of a mailbox for whom they are.
extension MailIntake {
    /// Recipients of one mail that are looked up.
    private static let mostRecipients = 50

    /// Accepts a mail once for each live address in the fields that the mailbox names.
    ///
    /// One that was sent to an address of our form behind which nobody is, is kept for a person; others stay where they
    /// are.
    func take(_ mail: ArrivingMail, in mailbox: WatchedMailbox) async throws(StoreError) -> MailVerdict.Fate {
        let header = mail.header
        let fields = mailbox.settings.recipientHeaders.flatMap { header.all($0.lowercased()) }
        let recipients = fields.flatMap { AddressList.addresses(in: $0) }
        var targets = try await targets(recipients, header, mailbox)
        let isKnown = !targets.isEmpty
        let names = mailbox.settings.recipientHeaders.joined(separator: ", ")
        let reason = "No live address in \(names)."
        if !isKnown {
            guard recipients.contains(where: { addressing.recipient($0) != nil }) else {
                return .quarantined(reason: reason)
            }
            targets = [.nobody(.unknownAddress, reason)]
        }
        var messages: [Message.ID] = []
        for result in try await deliver(mail, to: targets, from: Self.sender(in: header), in: mailbox.id) {
            switch try result.get() {
            case .accepted(let acceptance): messages.append(acceptance.message)
            case .held(let id): return .quarantined(reason: "\(reason) A copy is in quarantine as \(id).")
            }
        }
        return .taken(messages, waits: mailbox.settings.afterwards != .leave || mailbox.settings.failureFolder != nil)
    }

    /// The tenants' addresses among the recipients, each once.
    private func targets(
        _ recipients: [String], _ header: HeaderBlock, _ mailbox: WatchedMailbox
    ) async throws(StoreError) -> [Target] {
        var seen: Set<PinpostCore.Address.ID> = []
        var targets: [Target] = []
        let ours = recipients.filter { addressing.recipient($0) != nil || addressing.isMailbox($0) }
        for recipient in ours.prefix(Self.mostRecipients) {
            switch try await destination(of: recipient) {
            case .address(let address, let board):
                if seen.insert(address.id).inserted { targets.append(.address(address, board: board)) }
            case .mailbox:
                let verdict = SenderCheck.verdict(on: header, trusting: mailbox.settings.trustedServers)
                if let address = try await address(of: verdict), seen.insert(address.id).inserted {
                    targets.append(.address(address, board: nil))
                }
            case nil: continue
            }
        }
        return targets
    }

    /// The envelope sender, as the last mail server wrote it down (RFC 5321 section 4.4).
    private static func sender(in header: HeaderBlock) -> String? {
        header.raw("return-path").map { AddressList.addresses(in: $0).first ?? "" }
    }
}
