public import FoundationEssentials

/// Where a source hands over what it received.
public protocol MessageSink: Sendable {
    /// Returns once the bytes are on disk and the row is committed; only then may the source answer.
    ///
    /// A delivery that is known already changes nothing; the caller discards its copy of the bytes.
    func accept(_ message: ReceivedMessage) async throws(StoreError) -> Acceptance
}

/// Bodies of any size.
///
/// Every call may block on the disk: make it on a `BlockingPool`.
public protocol BlobStore: Sendable {
    func makeWriter() -> any BlobWriter
    /// Opens stored bytes for reading.
    ///
    /// What was read is compared with the digest, unless this process wrote it a moment ago: the system still has those
    /// bytes in memory as a rule, and a second digest of them would show nothing.
    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader
    /// Removes bytes whose row was never written.
    func discard(_ bytes: StoredBytes)
}

/// Takes bytes in pieces: small bodies stay in memory, larger ones go to a file that has no name yet.
///
/// One thread at a time; whoever drops a writer without `finish` has stored nothing.
public protocol BlobWriter: AnyObject {
    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError)
    /// Lets the second section begin, once, which is a text: what is written from now on has a digest of its own that
    /// its owner need not find out by himself; false where the writer keeps none.
    func beginSection() -> Bool
    /// The digest of the second section, whatever its lines end with, once the bytes are finished; 32 bytes.
    var sectionDigest: [UInt8]? { get }
    /// Makes the bytes durable (fsync, rename, fsync of the folder) and names them.
    func finish() throws(StoreError) -> StoredBytes
    /// Forgets everything.
    func discard()
}

extension BlobWriter {
    public func beginSection() -> Bool { false }
    public var sectionDigest: [UInt8]? { nil }
}

/// Reads stored bytes; the descriptor is positioned at the start and closed with the reader.
public protocol BlobReader: AnyObject {
    /// Up to `limit` bytes; empty at the end.
    func read(upTo limit: Int) throws(StoreError) -> [UInt8]
    /// A descriptor of a file that holds exactly these bytes, for passing on; it lives as long as the reader.
    func descriptor() throws(StoreError) -> CInt
}

/// The messages that wait to be read.
public protocol SplitQueue: Sendable {
    /// Takes accepted messages in order of arrival.
    ///
    /// Before they are returned, each one's crash count is raised and committed: a message that kills the process
    /// three times is parked as poison instead of being taken a fourth time.
    func takeAccepted(upTo limit: Int, now: Date) async throws(StoreError) -> [Message]
    /// Stores a message's items, what was left out, and a note for the sender, once: a repeat changes nothing.
    ///
    /// A message without items is done. Where an answer is owed, it joins the outbox in the same commit, and the body
    /// stays until the answer is settled.
    func split(
        _ message: Message.ID, into items: [NewItem], skipped: [SkippedPart], note: String?, owesReply: Bool, now: Date
    ) async throws(StoreError)
    /// It cannot be read, ever.
    func park(_ message: Message.ID, reason: String, now: Date) async throws(StoreError)
    /// It cannot be read now (disk full): back to the queue, the crash not counted.
    func postpone(_ message: Message.ID, until: Date, reason: String) async throws(StoreError)
    /// When the next accepted message may be read; nil when none waits.
    func nextUnread() async throws(StoreError) -> Date?
}

extension SplitQueue {
    /// Stores the items of a message whose sender waits for no answer.
    public func split(
        _ message: Message.ID, into items: [NewItem], skipped: [SkippedPart], note: String?, now: Date
    ) async throws(StoreError) {
        try await split(message, into: items, skipped: skipped, note: note, owesReply: false, now: now)
    }
}

/// The durable queue between "we have it" and "Pinry has it".
public protocol DeliveryQueue: Sendable {
    /// Leases servers that have due work and a closed breaker, and that nobody holds.
    ///
    /// A lease that has run out is taken over: its running items come back as in `release`, and the new epoch fences
    /// every later write of the earlier holder.
    func leaseServers(upTo limit: Int, now: Date, until expiry: Date) async throws(StoreError) -> [ServerLease]
    func renew(_ lease: ServerLease, until expiry: Date) async throws(StoreError) -> ServerLease
    /// Gives a lease back and notes when the server has work again.
    ///
    /// Items that are still running under it have lost their worker: they become ready, and those at `pin` come back
    /// in doubt, as after a crash.
    func release(_ lease: ServerLease, now: Date) async throws(StoreError)
    /// Takes one piece of due work: one item, or up to ten items of one tenant that wait for the same board.
    ///
    /// Round-robin among the server's active tenants; within a tenant in order of arrival, an item's board step after
    /// the other steps of its message. The attempt is counted, and the next due time (`retry`) written, before the
    /// items are returned. Empty when nothing is due but for `others`, who have their share already.
    func take(
        _ lane: Lane, from lease: ServerLease, passingOver others: Set<Tenant.ID>, now: Date, retry: RetryPolicy
    ) async throws(StoreError) -> [Item]
    /// Commits what a step learnt and moves the item on, due at once. Throws `.leaseLost` if the epoch is stale.
    ///
    /// A new step starts with no attempts and no doubt; `.notPinned` ends the doubt but keeps the count. The item stays
    /// running only when it moves to `.done`, for the `settle` that follows.
    func advance(
        _ item: Item.ID, to step: Item.Step, learning facts: StepFacts, under lease: ServerLease, now: Date
    ) async throws(StoreError)
    func settle(_ item: Item.ID, as outcome: Outcome, under lease: ServerLease, now: Date) async throws(StoreError)
    /// Keeps the server out of `leaseServers` and `take` until then; `failures` is the breaker's count.
    func pause(_ lease: ServerLease, until: Date, failures: Int) async throws(StoreError)
    /// The breaker's count, 0 after a success.
    func failures(of lease: ServerLease) async throws(StoreError) -> Int
    /// Raises the server's floor for reading pins; a lower id changes nothing.
    func noteNewestPin(_ pin: PinID, under lease: ServerLease) async throws(StoreError)
    /// Nothing of this tenant is taken until a person acts.
    func stopTenant(_ tenant: Tenant.ID, reason: String) async throws(StoreError)
    /// When there may be work next: the earliest due time over all servers; nil when nothing waits.
    func nextDue() async throws(StoreError) -> Date?
}

extension DeliveryQueue {
    /// Takes one piece of due work of whoever's turn it is.
    public func take(
        _ lane: Lane, from lease: ServerLease, now: Date, retry: RetryPolicy
    ) async throws(StoreError) -> [Item] {
        try await take(lane, from: lease, passingOver: [], now: now, retry: retry)
    }
}

/// Who is who: what sources and workers look up.
///
/// Every answer about a tenant is reached through that tenant.
public protocol TenantDirectory: Sendable {
    func tenant(_ id: Tenant.ID) async throws(StoreError) -> Tenant?
    func server(_ id: Server.ID) async throws(StoreError) -> Server?
    /// By the SHA-256 of a token, the present or the former one; what has expired is not found.
    func address(tokenHash: [UInt8], now: Date) async throws(StoreError) -> Address?
    /// The live addresses to which senders may write without a token.
    func senderAddresses(now: Date) async throws(StoreError) -> [Address]
    func address(_ id: Address.ID, of tenant: Tenant.ID) async throws(StoreError) -> Address?
    /// By the public id in the URL.
    func hook(_ id: Hook.ID) async throws(StoreError) -> Hook?
    /// A request with the right token came; the caller does not say so for every one.
    func noteUse(of hook: Hook.ID, at now: Date) async throws(StoreError)
    /// The tenant's boards as last read from Pinry, and when; nil before the first reading.
    func boards(of tenant: Tenant.ID) async throws(StoreError) -> (boards: [Board], readAt: Date)?
    func remember(_ boards: [Board], of tenant: Tenant.ID, readAt: Date) async throws(StoreError)
}

/// What became of messages.
public protocol MessageHistory: Sendable {
    func message(_ id: Message.ID) async throws(StoreError) -> Message?
    func messages(of tenant: Tenant.ID, newest limit: Int) async throws(StoreError) -> [Message]
    func items(of message: Message.ID) async throws(StoreError) -> [Item]
    func item(_ id: Item.ID) async throws(StoreError) -> Item?
    /// The newest messages of a tenant, or of all, with what became of their items.
    func overview(of tenant: Tenant.ID?, newest limit: Int) async throws(StoreError) -> [MessageOverview]
    /// The newest items of a tenant, or of all, that are in one of the states; without the bytes of their pictures.
    func items(of tenant: Tenant.ID?, in states: Set<Item.State>, newest limit: Int) async throws(StoreError) -> [Item]
    /// How many of a tenant's items wait for his Pinry; counting ends at `limit`.
    func queuedItems(of tenant: Tenant.ID, upTo limit: Int) async throws(StoreError) -> Int
    /// The pictures that the page behind an item offered, the best first; empty where it is no page.
    func pictures(offeredTo item: Item.ID) async throws(StoreError) -> [OfferedPicture]
    /// A link that is pinned, or whose replacement is parked, starts once more with the chosen picture.
    func replace(_ item: Item.ID, with replacement: Replacement, now: Date) async throws(StoreError)
    /// A parked item goes on from its step, attempts at zero; one in doubt is read first.
    func retry(_ item: Item.ID, now: Date) async throws(StoreError)
    /// An item that is not running and not done stops for good; its bytes go. A pin that it has made stays, and its
    /// reason says so.
    func cancel(_ item: Item.ID, now: Date) async throws(StoreError)
    /// Returns when the message has reached a final state, or at the deadline, with its state at that time.
    func waitUntilFinal(_ id: Message.ID, upTo limit: Duration) async throws(StoreError) -> Message?
}

/// A message in a list: no body, and its items counted.
public struct MessageOverview: Sendable, Hashable {
    public let id: Message.ID
    public let tenant: Tenant.ID
    public let source: Source
    public let state: Message.State
    public let reason: String?
    public let receivedAt: Date
    /// How many of its items are in each state; those that are in none are missing.
    public let items: [Item.State: Int]

    public init(
        id: Message.ID, tenant: Tenant.ID, source: Source, state: Message.State, reason: String?, receivedAt: Date,
        items: [Item.State: Int]
    ) {
        self.id = id
        self.tenant = tenant
        self.source = source
        self.state = state
        self.reason = reason
        self.receivedAt = receivedAt
        self.items = items
    }
}

/// What an admin changes.
///
/// Every change is one transaction.
public protocol Registry: Sendable {
    func tenants() async throws(StoreError) -> [Tenant]
    func tenant(slug: String) async throws(StoreError) -> Tenant?
    func server(baseURL: String, dialect: Server.Dialect) async throws(StoreError) -> Server?
    /// Adds a tenant, and its server where that is new; of a known one those settings are written that are not as in
    /// `known`. Throws `.conflict` when the slug is taken.
    func add(_ tenant: Tenant, on server: Server, changedFrom known: Server?) async throws(StoreError)
    /// Replaces a tenant's settings, and those of the server as `add` does; a server change moves its waiting items as
    /// well. False, with nothing done, where the tenant is not `old` any more.
    func update(
        _ tenant: Tenant, insteadOf old: Tenant?, on server: Server, changedFrom known: Server?
    ) async throws(StoreError) -> Bool
    /// Removes a tenant with everything that is his.
    func remove(_ tenant: Tenant.ID) async throws(StoreError)
    func add(_ address: Address) async throws(StoreError)
    /// Replaces defaults, policy, expiry and tokens; false, with nothing done, where it is not `old` any more.
    func update(_ address: Address, insteadOf old: Address?) async throws(StoreError) -> Bool
    func addresses(of tenant: Tenant.ID) async throws(StoreError) -> [Address]
    func remove(_ address: Address.ID, of tenant: Tenant.ID) async throws(StoreError)
    func add(_ hook: Hook) async throws(StoreError)
    func hooks(of tenant: Tenant.ID) async throws(StoreError) -> [Hook]
    /// When they were last used, to the minute; those that never were are missing.
    func lastUses(ofHooksOf tenant: Tenant.ID) async throws(StoreError) -> [Hook.ID: Date]
    /// Replaces tokens, defaults, settings and secrets; what is no longer named is forgotten. False, with nothing done,
    /// where it is not `old` any more.
    func update(_ hook: Hook, insteadOf old: Hook?) async throws(StoreError) -> Bool
    func remove(_ hook: Hook.ID, of tenant: Tenant.ID) async throws(StoreError)
    /// How many sealed records each master key holds.
    func recordsPerKey() async throws(StoreError) -> [String: Int]
    /// The check values of the master keys, by key id.
    func keyCheckValues() async throws(StoreError) -> [String: [UInt8]]
    func addKeyCheckValue(_ value: [UInt8], for keyID: String) async throws(StoreError)
    /// 16 random bytes drawn when the store was made; salt of every tenant key.
    func instanceID() async throws(StoreError) -> [UInt8]
}

extension Registry {
    /// All of the server's settings are written.
    public func add(_ tenant: Tenant, on server: Server) async throws(StoreError) {
        try await add(tenant, on: server, changedFrom: nil)
    }

    /// Replaces whatever it is at the moment.
    public func update(_ tenant: Tenant, on server: Server) async throws(StoreError) {
        _ = try await update(tenant, insteadOf: nil, on: server, changedFrom: nil)
    }
    public func update(_ address: Address) async throws(StoreError) { _ = try await update(address, insteadOf: nil) }
    public func update(_ hook: Hook) async throws(StoreError) { _ = try await update(hook, insteadOf: nil) }
}
