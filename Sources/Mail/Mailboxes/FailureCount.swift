/// Failures of a mailbox's connections in a row, and how long they are waited out.
struct FailureCount {
    private(set) var refusedLogins = 0
    private var inARow = 0
    /// When this connection had read all new mail for the first time.
    private var success: ContinuousClock.Instant?
    /// The last connection had, before it failed.
    private var hadSuccess = false

    mutating func succeeded(at now: ContinuousClock.Instant) {
        refusedLogins = 0
        success = success ?? now
    }

    mutating func count(_ error: IMAPError, _ timings: MailboxTimings, at now: ContinuousClock.Instant) {
        if let success, now - success >= timings.settled { inARow = 0 }
        hadSuccess = success != nil
        success = nil
        inARow += 1
        refusedLogins = error.code == .loginRefused ? refusedLogins + 1 : 0
    }

    func pause(after error: IMAPError, _ timings: MailboxTimings) -> Duration {
        // The trouble is ours, such as a full disk: the server does not mind, and the mail waits no longer than it must.
        if error.code == .storeFailed { return timings.busyPause * Double.random(in: 0.8...1.2) }
        let doubled = timings.firstPause * (1 << min(inARow - 1, 20))
        let least: Duration =
            switch error.code {
            case .loginRefused: timings.loginPause
            case .busy: timings.busyPause
            default: .zero
            }
        // One mail may break each connection; new mail is not to wait long for that.
        let longest = hadSuccess && error.code != .busy ? timings.busyPause : timings.longestPause
        // Many mailboxes of one server must not come back at the same moment.
        return min(max(doubled, least), longest) * Double.random(in: 0.8...1.2)
    }
}
