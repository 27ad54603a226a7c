internal import CurlKit

/// Waiting for mail (RFC 2177).
extension IMAPConnection {
    var canIdle: Bool { capabilities.contains("IDLE") }

    /// Waits until the server tells of mail, somebody rings, or time is up.
    ///
    /// A mail that comes between two commands is told neither with the end of the first nor at the start of an IDLE:
    /// so a NOOP goes out in one piece with it.
    func idle(until deadline: ContinuousClock.Instant) throws(IMAPError) {
        guard !hasNews else { return }
        let (noop, idle) = (nextTag(), nextTag())
        try send("\(noop) NOOP\r\n\(idle) IDLE\r\n")
        guard try enterIdle(noop: noop, idle: idle) else { return }
        while !hasNews {
            guard try waitForNews(until: deadline) == .bytes else { break }
            if case .completed(_, let status) = try next() { throw status.error }
        }
        try send("DONE\r\n")
        while true {
            if case .completed(idle, let status) = try next() {
                guard status.condition == .ok else { throw status.error }
                return
            }
        }
    }

    /// Reads up to the `+`; false where the server has ended the IDLE by itself.
    private func enterIdle(noop: String, idle: String) throws(IMAPError) -> Bool {
        var isWaiting = false
        var isNoopDone = false
        while !isWaiting || !isNoopDone {
            switch try next() {
            case .goAhead: isWaiting = true
            case .completed(noop, let status):
                guard status.condition == .ok else { throw status.error }
                isNoopDone = true
            case .completed(idle, let status):
                guard status.condition == .ok else { throw status.error }
                return false
            case .completed(let tag, _): throw IMAPError(.broken, "an answer to \(tag.prefix(20))")
            default: break
            }
        }
        return true
    }

    /// The same for servers without IDLE: one question.
    func ask() throws(IMAPError) { try noop() }

    /// Waits for the alarm, for bytes nobody asked for, or for the deadline, and sends nothing.
    func rest(until deadline: ContinuousClock.Instant) throws(IMAPError) {
        _ = try waitForNews(until: deadline)
    }
}
