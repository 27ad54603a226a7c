internal import FoundationEssentials
internal import PinpostCore

/// What happens to mails once everything in them is final; all of it may be repeated, and none of it can pin again.
extension MailboxSession {
    /// Mails of one command.
    private static let batch = 100
    private static let pinned = "$Pinned"
    private static let failed = "$PinFailed"
    /// Tries of a mail alone after which it stays as it is.
    private static let tries = 3
    /// After so many failures in one look the others wait for the next one.
    private static let mostFailures = 20

    /// Sees to everything that is final.
    ///
    /// A command for several mails that fails is repeated for each alone: what one of them cannot have, the others
    /// still get. Throws only what ends the connection.
    func doAfterwards() async throws(IMAPError) {
        let settings = mailbox.settings
        guard settings.afterwards != .leave || settings.failureFolder != nil else { return }
        let now = ports.surroundings.now()
        var failures = 0
        while failures < Self.mostFailures {
            let finished = try await stored { () throws(StoreError) in
                try await ports.state.finished(in: mailbox.id, dueBy: now, upTo: Self.batch)
            }
            guard !finished.isEmpty else { return }
            for group in Self.groups(of: finished) where failures < Self.mostFailures {
                guard let error = try await act(on: group) else { continue }
                try await note(error, of: group, now)
                if error.endsConnection { throw error }
                // Whoever is busy with one mail is busy with all.
                if error.isFromBusyServer { return }
                failures += 1
            }
        }
    }

    /// Which mails one command is for: those that failed among others are alone.
    private static func groups(of mails: [FinishedMail]) -> [[FinishedMail]] {
        let fresh = mails.filter { $0.failures == nil }
        let together = [fresh.filter { !$0.hasFailed }, fresh.filter(\.hasFailed)].filter { !$0.isEmpty }
        return together + mails.filter { $0.failures != nil }.map { [$0] }
    }

    /// Does it for mails that are all of one kind; returns what failed.
    private func act(on mails: [FinishedMail]) async throws(IMAPError) -> IMAPError? {
        let hasFailed = mails.contains(where: \.hasFailed)
        let settings = mailbox.settings
        let forFailures = settings.failureFolder.map { MailboxSettings.Afterwards.move(folder: $0) } ?? .mark
        do throws(IMAPError) {
            switch hasFailed ? forFailures : settings.afterwards {
            case .leave: break
            case .mark: try await mark(mails, with: hasFailed ? Self.failed : Self.pinned)
            case .move(let folder): try await move(mails, to: folder)
            case .delete: try await connection.delete(mails.map(\.uid))
            }
        } catch {
            guard error.mayBeTheMails || error.code == .refused else { throw error }
            return error
        }
        try await note(.done, of: mails.map(\.uid))
        return nil
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

    /// Writes down when each of these is tried again, if at all.
    private func note(_ error: IMAPError, of mails: [FinishedMail], _ now: Date) async throws(IMAPError) {
        let (timings, isAlone, isBusy) = (ports.timings, mails.count == 1, error.isFromBusyServer)
        let troubles = mails.map { mail in
            let failures = (mail.failures ?? 0) + (isAlone && !isBusy ? 1 : 0)
            let pause = isBusy ? timings.busyPause : isAlone ? timings.secondTry : .zero
            let due = failures < Self.tries ? now + pause.timeInterval : nil
            return AfterwardsTrouble(uid: mail.uid, failures: failures, reason: error.description, due: due)
        }
        try await stored { () throws(StoreError) in try await ports.state.note(troubles, in: mailbox.id) }
        let isOver = troubles.contains { $0.due == nil }
        ports.logger.warning(
            isOver ? "mail stays as it is" : "mails stay as they are for now",
            ["uids": UIDSet.text(mails.map(\.uid)), "reason": error.description])
    }
}

extension IMAPError {
    /// Busy with everything; over quota or too many mails are said of the folder to which a mail should go.
    fileprivate var isFromBusyServer: Bool { code == .busy && responseCode != "OVERQUOTA" && responseCode != "LIMIT" }

    fileprivate var endsConnection: Bool { code != .refused && code != .busy }
}

extension Duration {
    /// In seconds.
    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}
