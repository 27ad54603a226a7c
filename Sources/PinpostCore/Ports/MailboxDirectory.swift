public import FoundationEssentials

/// Which mailboxes are watched.
public protocol MailboxDirectory: Sendable {
    /// In the order of their names.
    func mailboxes() async throws(StoreError) -> [WatchedMailbox]
    /// Throws `.conflict` when the name is taken.
    func add(_ mailbox: WatchedMailbox) async throws(StoreError)
    /// Replaces settings and secrets, and lets a stopped mailbox go on; false, with nothing done, where it is not `old`
    /// any more.
    func update(_ mailbox: WatchedMailbox, insteadOf old: WatchedMailbox?) async throws(StoreError) -> Bool
    /// Puts a new secret in the place of the present one, as providers rotate their refresh tokens.
    func replaceSecret(of mailbox: WatchedMailbox.ID, with secret: SealedSecret) async throws(StoreError)
    /// What came through it stays.
    func remove(_ mailbox: WatchedMailbox.ID) async throws(StoreError)
    func health(of mailbox: WatchedMailbox.ID) async throws(StoreError) -> MailboxHealth
    /// The newest mails that a person may want to know about: those that did not become messages, and those that did
    /// but to which could not be done what was to happen afterwards.
    func quarantine(of mailbox: WatchedMailbox.ID, newest limit: Int) async throws(StoreError) -> [QuarantinedMail]
    /// Lets everything that was left alone, and what has failed, be read once more, as if it were new.
    ///
    /// Returns how many mails that are.
    func readAgain(in mailbox: WatchedMailbox.ID, now: Date) async throws(StoreError) -> Int
}

extension MailboxDirectory {
    /// Replaces whatever it is at the moment.
    public func update(_ mailbox: WatchedMailbox) async throws(StoreError) {
        _ = try await update(mailbox, insteadOf: nil)
    }
}

/// How a mailbox is doing.
public struct MailboxHealth: Sendable, Hashable {
    /// The last time when every new mail in the folder had been read.
    public var lastSuccess: Date?
    /// nil after a success.
    public var lastError: String?
    public var lastErrorAt: Date?
    /// Why it is not tried any more until a person acts.
    public var stoppedReason: String?
    /// Mails of the last 30 days that became messages.
    public var taken: Int
    /// Mails of the last 30 days that did not.
    public var quarantined: Int
    /// Those of them that the server would not give; `readAgain` asks for them once more.
    public var unreadable: Int
    /// Mails that could not be read yet and are asked for again.
    public var failing: Int

    public init(
        lastSuccess: Date? = nil, lastError: String? = nil, lastErrorAt: Date? = nil, stoppedReason: String? = nil,
        taken: Int = 0, quarantined: Int = 0, unreadable: Int = 0, failing: Int = 0
    ) {
        self.lastSuccess = lastSuccess
        self.lastError = lastError
        self.lastErrorAt = lastErrorAt
        self.stoppedReason = stoppedReason
        self.taken = taken
        self.quarantined = quarantined
        self.unreadable = unreadable
        self.failing = failing
    }

    public enum State: String, Sendable, CaseIterable {
        case watched, new, failing, deaf, stopped
    }

    /// `created` is when the mailbox was added.
    public func state(since created: Date, now: Date) -> State {
        if stoppedReason != nil { return .stopped }
        if isDeaf(since: created, now: now) { return .deaf }
        if lastError != nil { return .failing }
        return lastSuccess == nil ? .new : .watched
    }

    /// A longer silence is a fault, in seconds: watchers look at least every six minutes.
    public static let deafAfter: TimeInterval = 20 * 60

    /// Whether it has long heard nothing, although it should; `created` is when it was added.
    public func isDeaf(since created: Date, now: Date) -> Bool {
        stoppedReason != nil || now.timeIntervalSince(lastSuccess ?? created) > Self.deafAfter
    }
}

/// A mail that stays in its folder although it, or something of it, is unfinished.
public struct QuarantinedMail: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable, Codable {
        /// It is nobody's, too large, or older than a mailbox for new mail alone.
        case leftAlone = "left_alone"
        /// The server would not give it.
        case unreadable
        /// The server has not given it yet; it is asked for again.
        case failing
        /// It was taken, but not moved, marked or deleted.
        case unmoved
    }

    public let uid: UInt32
    public let kind: Kind
    public let reason: String
    public let seenAt: Date

    public init(uid: UInt32, kind: Kind, reason: String, seenAt: Date) {
        self.uid = uid
        self.kind = kind
        self.reason = reason
        self.seenAt = seenAt
    }
}
