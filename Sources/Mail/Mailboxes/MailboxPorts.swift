public import PinpostCore

/// What the watchers of mailboxes work with.
public struct MailboxPorts: Sendable {
    let directory: any MailboxDirectory
    let state: any MailboxState
    let keeper: any SecretKeeper
    let http: any HTTPExchange
    public let intake: MailIntake
    let blobs: any BlobStore
    let surroundings: Surroundings
    var logger: Logger
    var timings: MailboxTimings
    var limits: IMAPLimits
    /// Shared by all copies.
    let refreshTokens = RefreshTokens()

    public init(
        directory: any MailboxDirectory, state: any MailboxState, keeper: any SecretKeeper, http: any HTTPExchange,
        intake: MailIntake, blobs: any BlobStore, surroundings: Surroundings, logger: Logger,
        timings: MailboxTimings = MailboxTimings(), limits: IMAPLimits = IMAPLimits()
    ) {
        self.directory = directory
        self.state = state
        self.keeper = keeper
        self.http = http
        self.intake = intake
        self.blobs = blobs
        self.surroundings = surroundings
        self.logger = logger
        self.timings = timings
        self.limits = limits
    }
}
