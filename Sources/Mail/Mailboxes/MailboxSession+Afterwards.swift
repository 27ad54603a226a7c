internal import PinpostCore

/// What happens to mails once everything in them is final; all of it may be repeated, and none of it can pin again.
extension MailboxSession {
    /// Mails of one command.
    private static let batch = 100
    private static let pinned = "$Pinned"
    private static let failed = "$PinFailed"

    /// Sees to everything that is final.
    func doAfterwards() async throws(IMAPError) {
        let settings = mailbox.settings
        guard settings.afterwards != .leave || settings.failureFolder != nil else { return }
        while true {
            let finished = try await stored { () throws(StoreError) in
                try await ports.state.finished(in: mailbox.id, upTo: Self.batch)
            }
            guard !finished.isEmpty else { return }
            let failed = finished.filter(\.hasFailed)
            let pinned = finished.filter { !$0.hasFailed }
            let failureAction = settings.failureFolder.map { MailboxSettings.Afterwards.move(folder: $0) }
            try await act(settings.afterwards, on: pinned, keyword: Self.pinned)
            try await act(failureAction ?? .mark, on: failed, keyword: Self.failed)
        }
    }

    private func act(
        _ action: MailboxSettings.Afterwards, on mails: [FinishedMail], keyword: String
    ) async throws(IMAPError) {
        guard !mails.isEmpty else { return }
        do throws(IMAPError) {
            switch action {
            case .leave: break
            case .mark: try await mark(mails, with: keyword)
            case .move(let folder): try await move(mails, to: folder)
            case .delete: try await connection.delete(mails.map(\.uid))
            }
        } catch {
            // Over quota, read-only, no such right: the pins are made, so the mail stays as it is.
            guard error.code == .refused else { throw error }
            ports.logger.warning(
                "mails stay as they are", ["uids": UIDSet.text(mails.map(\.uid)), "reason": error.detail])
        }
        try await note(.done, of: mails.map(\.uid))
    }

    private func mark(_ mails: [FinishedMail], with keyword: String) async throws(IMAPError) {
        let flag = folder.takesKeyword(keyword) ? keyword : "\\Flagged"
        try await connection.mark(mails.map(\.uid), with: flag)
    }

    private func move(_ mails: [FinishedMail], to folder: String) async throws(IMAPError) {
        if await connection.canMove {
            return try await connection.move(mails.map(\.uid), to: folder)
        }
        let waiting = mails.filter { $0.progress == .waiting }.map(\.uid)
        if !waiting.isEmpty {
            try await connection.copy(waiting, to: folder)
            // A repetition must not copy again.
            try await note(.copied, of: waiting)
        }
        try await connection.delete(mails.map(\.uid))
    }

    private func note(_ progress: AfterwardsProgress, of uids: [UInt32]) async throws(IMAPError) {
        try await stored { () throws(StoreError) in
            try await ports.state.note(progress, of: uids, in: mailbox.id)
        }
    }
}
