public import FoundationEssentials

/// What a step adds to the item; attempts start again from zero when the step changes.
public enum StepFacts: Sendable, Hashable {
    case prepared(PreparedPicture)
    /// The same for a link, with what its page had to say.
    case found(PreparedPicture, PageNotes)
    /// The thumbnail is a path below the server's address.
    case uploaded(ImageID, floor: PinID, thumbnail: String? = nil)
    /// The pin (nil where the dialect does not tell), and the board it still has to be put on.
    case pinned(PinID?, board: BoardID?)
    /// The image behind the id is gone: back to the upload with what `prepare` made.
    case imageLost
    /// The server takes no picture of more bytes than these, neither this one nor a later one: back to `prepare`.
    case tooLarge(serverTakes: Int)
    /// The pins were read after the quiet period and ours is not among them: it may be sent again.
    case notPinned
}

/// What one attempt taught us.
public enum Outcome: Sendable, Hashable {
    /// Pinned; the note says what the sender should know (a board that is gone).
    case done(note: String?)
    /// Counts as an attempt.
    case retry(at: Date, reason: String)
    /// The server may have done it: read before writing again.
    case ambiguous(notBefore: Date, reason: String)
    /// Does not count: rate limit, open breaker, stopped tenant, shutdown.
    case snooze(until: Date, reason: String)
    /// Until a person acts.
    case parked(reason: String)
}

/// Two kinds of work of one server: the first never speaks to Pinry, so it may overlap with anything.
public enum Lane: Sendable, Hashable, CaseIterable {
    /// `prepare`: fetch the link, convert the picture.
    case prepare
    /// `upload`, `pin` and `board`.
    case deliver
}

/// The right to work on one server's items until `expiry`; the epoch fences writes of an earlier holder.
public struct ServerLease: Sendable, Hashable {
    public let server: Server
    public let epoch: Int64
    public let expiry: Date

    public init(server: Server, epoch: Int64, expiry: Date) {
        self.server = server
        self.epoch = epoch
        self.expiry = expiry
    }
}

extension Outcome {
    /// For the metrics.
    var code: String {
        switch self {
        case .done: "done"
        case .retry: "retry"
        case .ambiguous: "in_doubt"
        case .snooze: "postponed"
        case .parked: "parked"
        }
    }
}
