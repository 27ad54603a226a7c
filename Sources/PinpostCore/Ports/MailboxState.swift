public import FoundationEssentials

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
    /// Mails that failed and have not failed too often yet, those that are due first at the head; nil for all of them.
    func failing(
        in mailbox: WatchedMailbox.ID, dueBy date: Date?, upTo limit: Int
    ) async throws(StoreError) -> [FailingMail]
    /// Which mails from `uid` on have a verdict already, although they are not below our place.
    func judged(in mailbox: WatchedMailbox.ID, from uid: UInt32) async throws(StoreError) -> Set<UInt32>
    /// The newest mails that the server gave, whatever became of them: UIDs, descending.
    func given(in mailbox: WatchedMailbox.ID, newest limit: Int) async throws(StoreError) -> [UInt32]
    /// Mails whose messages are all final and that wait for what happens afterwards, and are due; ascending.
    func finished(
        in mailbox: WatchedMailbox.ID, dueBy date: Date, upTo limit: Int
    ) async throws(StoreError) -> [FinishedMail]
    /// Whether there are mails whose messages are not final yet.
    func hasUnfinished(in mailbox: WatchedMailbox.ID) async throws(StoreError) -> Bool
    func note(_ progress: AfterwardsProgress, of uids: [UInt32], in mailbox: WatchedMailbox.ID) async throws(StoreError)
    /// Notes what could not be done to mails afterwards.
    func note(_ troubles: [AfterwardsTrouble], in mailbox: WatchedMailbox.ID) async throws(StoreError)
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
    /// What a mailbox for new mail alone leaves out when its folder is read anew; nil for others.
    public var border: Border?

    public struct Border: Sendable, Hashable {
        /// The first look into the folder: what came before is not ours.
        public var since: Date
        /// From this UID on everything is new.
        public var belowUID: UInt32

        public init(since: Date, belowUID: UInt32 = 0) {
            self.since = since
            self.belowUID = belowUID
        }
    }

    public init(uidValidity: UInt32, nextUID: UInt32, border: Border? = nil) {
        self.uidValidity = uidValidity
        self.nextUID = nextUID
        self.border = border
    }
}

/// What became of one mail of a folder.
public struct MailVerdict: Sendable, Hashable {
    public enum Fate: Sendable, Hashable {
        /// It is these messages now; `waits` when something happens to it once they are final.
        case taken([Message.ID], waits: Bool)
        /// It becomes nothing, and stays where it is.
        case quarantined(reason: String)
        /// The server would not give it; it stays where it is.
        case unreadable(attempts: Int, reason: String)
        /// It could not be read this time, and is asked for again when it is due.
        case failing(attempts: Int, due: Date, reason: String)
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

/// A mail that could not be read yet.
public struct FailingMail: Sendable, Hashable {
    public let uid: UInt32
    /// Tries that count against it.
    public let attempts: Int
    public let due: Date
    /// The first failure.
    public let since: Date

    public init(uid: UInt32, attempts: Int, due: Date, since: Date) {
        self.uid = uid
        self.attempts = attempts
        self.due = due
        self.since = since
    }
}

public struct FinishedMail: Sendable, Hashable {
    public let uid: UInt32
    /// Something of it is parked.
    public let hasFailed: Bool
    public let progress: AfterwardsProgress
    /// What was to be done has failed for it alone so many times; nil where it has not failed even among others.
    public let failures: Int?

    public init(uid: UInt32, hasFailed: Bool, progress: AfterwardsProgress, failures: Int? = nil) {
        self.uid = uid
        self.hasFailed = hasFailed
        self.progress = progress
        self.failures = failures
    }
}

/// What was to happen to a mail afterwards did not.
public struct AfterwardsTrouble: Sendable, Hashable {
    public let uid: UInt32
    public let failures: Int
    public let reason: String
    /// When it is tried again; nil gives it up.
    public let due: Date?

    public init(uid: UInt32, failures: Int, reason: String, due: Date?) {
        self.uid = uid
        self.failures = failures
        self.reason = reason
        self.due = due
    }
}

/// How far the afterwards of a mail has come.
public enum AfterwardsProgress: String, Sendable, CaseIterable {
    case waiting
    /// It lies in the other folder, and is still to be removed here.
    case copied
    case done
}
