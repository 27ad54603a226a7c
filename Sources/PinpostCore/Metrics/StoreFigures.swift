/// What waits in the store at one moment.
public struct StoreFigures: Sendable, Hashable {
    public var unreadMessages = 0
    /// Items that wait for their picture, and for Pinry.
    public var itemsToPrepare = 0
    public var itemsToDeliver = 0
    public var runningItems = 0
    public var parkedItems = 0
    public var owedReplies = 0
    public var heldMails = 0
    /// For the user of the process, in bytes.
    public var freeBytes = 0

    public init() {}
}
