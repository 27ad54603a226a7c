internal import FoundationEssentials
internal import PinpostCore

/// Finding our place in a folder.
extension MailboxSession {
    private static let mostQuarantined = 1_000
    private static let memory: TimeInterval = 30 * 86_400

    /// Opens the folder and finds our place in it; under another UIDVALIDITY everything is read again, and what is
    /// known is recognised by its content.
    mutating func openFolder() async throws(IMAPError) {
        let settings = mailbox.settings
        let isReadOnly = settings.afterwards == .leave && settings.failureFolder == nil
        folder = try await connection.select(settings.folder, readOnly: isReadOnly)
        let known = try await stored { () throws(StoreError) in try await ports.state.position(of: mailbox.id) }
        // Some name it at one time and not at another.
        let validity = folder.uidValidity ?? known?.uidValidity ?? 0
        if let known {
            position = known
            var isOther = known.uidValidity != validity
            if !isOther { isOther = try await isBelowOurPlace() }
            if isOther { try await readAnew(under: validity) }
        } else {
            try await beginFirst(under: validity)
        }
        let oldest = ports.surroundings.now() - Self.memory
        try await stored { () throws(StoreError) in
            try await ports.state.expire(in: mailbox.id, before: oldest, keeping: Self.mostQuarantined)
        }
    }

    /// The first look at the folder.
    private mutating func beginFirst(under validity: UInt32) async throws(IMAPError) {
        guard mailbox.settings.newOnly else {
            return try await begin(MailboxPosition(uidValidity: validity, nextUID: 1))
        }
        let border = MailboxPosition.Border(since: ports.surroundings.now())
        try await begin(MailboxPosition(uidValidity: validity, nextUID: try await firstFree(), border: border))
    }

    /// The folder, or the numbers of its mails, are others than before.
    private mutating func readAnew(under validity: UInt32) async throws(IMAPError) {
        ports.logger.warning("the folder was made anew; everything in it is read again")
        var border: MailboxPosition.Border?
        if mailbox.settings.newOnly {
            let since = position.border?.since ?? mailbox.createdAt
            // A folder that seems to be empty for a moment would take the border away.
            let below = [try await firstFree(), position.nextUID, position.border?.belowUID ?? 0].max()
            border = MailboxPosition.Border(since: since, belowUID: below ?? 0)
        }
        try await begin(MailboxPosition(uidValidity: validity, nextUID: 1, border: border))
    }

    private mutating func begin(_ start: MailboxPosition) async throws(IMAPError) {
        position = start
        try await stored { () throws(StoreError) in try await ports.state.begin(start, in: mailbox.id) }
    }

    /// Whether numbers below our place are still to be given out, as the server says and no mail belies.
    private func isBelowOurPlace() async throws(IMAPError) -> Bool {
        guard let next = folder.uidNext, next > 0, position.nextUID > next else { return false }
        return try await highest() < next
    }

    /// A number above those of all mails that are there now.
    private func firstFree() async throws(IMAPError) -> UInt32 { max(try await highest() + 1, folder.uidNext ?? 1) }

    /// The last mail's UID; 0 in an empty folder.
    private func highest() async throws(IMAPError) -> UInt32 {
        folder.count == 0 ? 0 : try await connection.search("*").last ?? 0
    }
}
