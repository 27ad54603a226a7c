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
    /// The newest mails that did not become messages.
    func quarantine(of mailbox: WatchedMailbox.ID, newest limit: Int) async throws(StoreError) -> [QuarantinedMail]
}

extension MailboxDirectory {
    /// Replaces whatever it is at the moment.
    public func update(_ mailbox: WatchedMailbox) async throws(StoreError) {
        _ = try await update(mailbox, insteadOf: nil)
    }
}

/// How a mailbox is doing.
public struct MailboxHealth: Sendable, Hashable {
    /// The last time when everything in the folder had been seen to.
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

    public init(
        lastSuccess: Date? = nil, lastError: String? = nil, lastErrorAt: Date? = nil, stoppedReason: String? = nil,
        taken: Int = 0, quarantined: Int = 0
    ) {
        self.lastSuccess = lastSuccess
        self.lastError = lastError
        self.lastErrorAt = lastErrorAt
        self.stoppedReason = stoppedReason
        self.taken = taken
        self.quarantined = quarantined
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

/// A mail that stays in its folder and became nothing.
public struct QuarantinedMail: Sendable, Hashable {
    public let uid: UInt32
    public let reason: String
    public let seenAt: Date

    public init(uid: UInt32, reason: String, seenAt: Date) {
        self.uid = uid
        self.reason = reason
        self.seenAt = seenAt
    }
}

/// What the watcher of a mailbox has to remember; keyed by mailbox, UIDVALIDITY and UID.
public protocol MailboxState: Sendable {
    /// nil before the first look into the folder.
    func position(of mailbox: WatchedMailbox.ID) async throws(StoreError) -> MailboxPosition?
    /// Starts anew at `position`: what was noted under another UIDVALIDITY is forgotten, its messages are not.
    func begin(_ position: MailboxPosition, in mailbox: WatchedMailbox.ID) async throws(StoreError)
    /// Notes what became of mails and that everything below `position.nextUID` has been judged, in one commit.
    func record(
        _ verdicts: [MailVerdict], upTo position: MailboxPosition, in mailbox: WatchedMailbox.ID, now: Date
    ) async throws(StoreError)
    /// Mails that failed and have not failed too often yet: the attempts of each.
    func failing(in mailbox: WatchedMailbox.ID) async throws(StoreError) -> [UInt32: Int]
    /// Mails whose messages are all final and that wait for what happens afterwards; ascending.
    func finished(in mailbox: WatchedMailbox.ID, upTo limit: Int) async throws(StoreError) -> [FinishedMail]
    /// Whether there are mails whose messages are not final yet.
    func hasUnfinished(in mailbox: WatchedMailbox.ID) async throws(StoreError) -> Bool
    func note(_ progress: AfterwardsProgress, of uids: [UInt32], in mailbox: WatchedMailbox.ID) async throws(StoreError)
    func noteSuccess(of mailbox: WatchedMailbox.ID, now: Date) async throws(StoreError)
    /// `stop` keeps the mailbox from being tried until a person acts.
    func noteFailure(
        of mailbox: WatchedMailbox.ID, _ reason: String, stop: Bool, now: Date
    ) async throws(StoreError)
    /// Forgets mails with which nothing is to be done, seen before `date`, and all but `limit` quarantined ones.
    func expire(in mailbox: WatchedMailbox.ID, before date: Date, keeping limit: Int) async throws(StoreError)
}

/// How far a folder has been read.
public struct MailboxPosition: Sendable, Hashable {
    /// UIDs mean something only under this number (RFC 9051 section 2.3.1.1).
    public var uidValidity: UInt32
    /// Every mail below has a verdict.
    public var nextUID: UInt32

    public init(uidValidity: UInt32, nextUID: UInt32) {
        self.uidValidity = uidValidity
        self.nextUID = nextUID
    }
}

/// What became of one mail of a folder.
public struct MailVerdict: Sendable, Hashable {
    public enum Fate: Sendable, Hashable {
        /// It is these messages now; `waits` when something happens to it once they are final.
        case taken([Message.ID], waits: Bool)
        /// It becomes nothing, and stays where it is.
        case quarantined(reason: String)
        /// It could not be read this time.
        case failing(attempts: Int, reason: String)
        /// It is not there any more.
        case gone
    }

    public let uid: UInt32
    public let fate: Fate

    public init(uid: UInt32, fate: Fate) {
        self.uid = uid
        self.fate = fate
    }
}

public struct FinishedMail: Sendable, Hashable {
    public let uid: UInt32
    /// Something of it is parked.
    public let hasFailed: Bool
    public let progress: AfterwardsProgress

    public init(uid: UInt32, hasFailed: Bool, progress: AfterwardsProgress) {
        self.uid = uid
        self.hasFailed = hasFailed
        self.progress = progress
    }
}

/// How far the afterwards of a mail has come.
public enum AfterwardsProgress: String, Sendable, CaseIterable {
    case waiting
    /// It lies in the other folder, and is still to be removed here.
    case copied
    case done
}
