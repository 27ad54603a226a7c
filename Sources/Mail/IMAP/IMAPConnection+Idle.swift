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
        try enterIdle(noop: noop, idle: idle)
        while !hasNews {
            guard try waitForNews(until: deadline) == .bytes else { break }
            if case .completed(_, let status) = try next() { throw Self.early(status) }
        }
        try send("DONE\r\n")
        while true {
            if case .completed(idle, let status) = try next() {
                guard status.condition == .ok else { throw status.error }
                return
            }
        }
    }

    /// Reads up to the `+`, and to the end of the NOOP; an IDLE that ends before it is one that the server cannot do.
    private func enterIdle(noop: String, idle: String) throws(IMAPError) {
        var isWaiting = false
        var isNoopDone = false
        var end: IMAPStatus?
        while !isNoopDone || !isWaiting && end == nil {
            switch try next() {
            case .goAhead: isWaiting = true
            // Refused or not: the IDLE behind it decides.
            case .completed(noop, _): isNoopDone = true
            case .completed(idle, let status): end = status
            case .completed(let tag, _): throw IMAPError(.broken, "an answer to \(tag.prefix(20))")
            default: break
            }
        }
        if let end { throw Self.early(end) }
    }

    /// An IDLE that we did not end.
    private static func early(_ end: IMAPStatus) -> IMAPError {
        end.condition == .ok ? IMAPError(.refused, "IDLE ends by itself: \(end.detail)") : end.error
    }

    /// The same for servers without IDLE: one question.
    func ask() throws(IMAPError) { try noop() }

    /// Waits for the alarm, for bytes nobody asked for, or for the deadline, and sends nothing.
    func rest(until deadline: ContinuousClock.Instant) throws(IMAPError) {
        _ = try waitForNews(until: deadline)
    }
}
