internal import FoundationEssentials
internal import PinpostCore
internal import Synchronization

/// Counts what clients, hooks and tenants send, and says no in time.
///
/// Everything is in memory, for each process of its own, and the memory has a limit.
final class RequestLimiter: Sendable {
    /// What happens to a request of a hook that is over its limit.
    enum Policy: Sendable {
        /// 429: the sender tries again.
        case refuse
        /// The hook has no limit, what it brings waits in the queue: a chat service would drop the message or the hook.
        case queue
    }

    /// What is known of a request before its body.
    enum Proof: Sendable {
        /// A token of the hook, or its provider's secret, was right.
        case given
        /// The signature covers the body: until it is here, anybody may have sent the request, and nothing that he
        /// does may use up what the hook itself has.
        case awaited
    }

    /// A hook and whoever sends to it.
    fileprivate struct Guest: Hashable {
        let hook: Hook.ID
        let client: [UInt8]
    }

    private static let mostAddresses = 65_536
    private static let mostHooks = 16_384
    private static let day = 86_400.0
    private static let hour = 3_600.0
    /// How long the number of queued items counts as known, in seconds.
    private static let queueAge = 5.0

    private let limits: RequestLimits
    private let history: any MessageHistory
    private let hooks: BucketTable<Hook.ID>
    private let addresses: BucketTable<[UInt8]>
    private let refusals: BucketTable<[UInt8]>
    private let allowance: any Allowance
    private let items: BucketTable<Tenant.ID>
    private let bodiesOfHooks: UnderWayTable<Hook.ID>
    private let bodiesOfGuests: UnderWayTable<Guest>
    private let bodiesOfAddresses: UnderWayTable<[UInt8]>
    private let queues = Mutex<[Tenant.ID: (count: Int, readAt: Date)]>([:])

    /// `allowance` is charged by whatever accepts the messages.
    init(_ limits: RequestLimits, history: any MessageHistory, allowance: any Allowance) {
        self.limits = limits
        self.history = history
        self.allowance = allowance
        hooks = BucketTable(limits.perHook, upTo: Self.mostHooks)
        addresses = BucketTable(limits.perAddress, upTo: Self.mostAddresses)
        refusals = BucketTable(limits.refusedPerAddress, upTo: Self.mostAddresses)
        bodiesOfHooks = UnderWayTable(upTo: limits.bodiesPerHook)
        bodiesOfGuests = UnderWayTable(upTo: limits.unprovenBodiesPerHookAndAddress)
        bodiesOfAddresses = UnderWayTable(upTo: limits.bodiesPerAddress)
        items = BucketTable(limits.itemsPerTenantAndHour.map { Rate($0, per: Self.hour) }, upTo: Self.mostHooks)
    }

    /// Counts a request of whoever sent it.
    func admit(_ head: RequestHead, at now: Date) throws(ProblemError) {
        guard let client = client(head), let lack = addresses.take(from: client, at: now) else { return }
        throw Self.tooMany("Too many requests come from this address.", lack)
    }

    /// Counts a wrong token or key; the answer to it, until there were too many.
    func refuse(_ head: RequestHead, with answer: HTTPAnswer, at now: Date) -> HTTPAnswer {
        guard let client = client(head), let lack = refusals.take(from: client, at: now) else { return answer }
        return Self.tooMany("Too many requests with a wrong token come from this address.", lack).answer
    }

    /// Counts a request of a hook, before its body; `noteProof` counts it where the proof is awaited.
    func admit(
        _ hook: Hook, _ length: RequestHead.BodyLength, _ policy: Policy = .refuse, _ proof: Proof = .given,
        at now: Date
    ) async throws(ProblemError) {
        if policy == .queue { return }
        let lack = proof == .given ? hooks.take(from: hook.id, at: now) : hooks.lack(for: hook.id, at: now)
        if let lack {
            throw Self.tooMany("Too many requests come by this hook.", lack)
        }
        if let lack = allowance.lack(of: length.count, for: hook.tenant, at: now) {
            throw Self.tooMany("This account has received as many bytes as it may in a day.", lack)
        }
        if let lack = items.lack(for: hook.tenant, at: now) {
            throw Self.tooMany("This account has received as many pictures and links as it may in an hour.", lack)
        }
        if let most = limits.queuedItemsPerTenant, await queued(by: hook.tenant, upTo: most, at: now) >= most {
            throw Self.tooMany("As many pictures and links as may wait for this account's Pinry do so already.", 60)
        }
    }

    /// Counts a request whose proof came with its body.
    func noteProof(_ hook: Hook, _ policy: Policy, at now: Date) {
        if policy == .refuse { hooks.charge(1, to: hook.id, at: now) }
    }

    /// The places that a body takes while it is being received.
    struct BodyPlace: Sendable {
        fileprivate var hook: UnderWay<Hook.ID>?
        fileprivate var guest: UnderWay<Guest>?
        fileprivate var address: UnderWay<[UInt8]>?

        /// The body is here.
        func end() {
            hook?.end()
            guest?.end()
            address?.end()
        }
    }

    /// Takes the places; throws where the hook or whoever sent the request has too many bodies on their way.
    func beginBody(
        of hook: Hook, _ head: RequestHead, _ policy: Policy = .refuse, _ proof: Proof = .given
    ) throws(ProblemError) -> BodyPlace {
        var place = BodyPlace()
        if proof == .given, policy == .refuse {
            place.hook = bodiesOfHooks.begin(hook.id)
            guard place.hook != nil else { throw Self.tooMany("Too many bodies of this hook are being received.", 1) }
        }
        guard let client = client(head) else { return place }
        if proof == .awaited {
            place.guest = bodiesOfGuests.begin(Guest(hook: hook.id, client: client))
            guard place.guest != nil else { throw Self.manyBodies }
        }
        place.address = bodiesOfAddresses.begin(client)
        guard place.address != nil else { throw Self.manyBodies }
        return place
    }

    private static var manyBodies: ProblemError { tooMany("Too many bodies are being received from this address.", 1) }

    /// What was found in an accepted request.
    func charge(_ tenant: Tenant.ID, items found: Int, at now: Date) {
        items.charge(Double(found), to: tenant, at: now)
        queues.withLock { $0[tenant]?.count += found }
    }

    /// nil for a client that has no limit.
    private func client(_ head: RequestHead) -> [UInt8]? {
        guard let address = ClientAddress.of(head, trusting: limits.trustedProxies), !address.isLoopback else {
            return nil
        }
        return address.network
    }

    /// A store that cannot say does not keep a message out: accepting it fails by itself.
    private func queued(by tenant: Tenant.ID, upTo most: Int, at now: Date) async -> Int {
        let known = queues.withLock { $0[tenant] }
        if let known, abs(now.timeIntervalSince(known.readAt)) < Self.queueAge { return known.count }
        guard let count = try? await history.queuedItems(of: tenant, upTo: most) else { return 0 }
        queues.withLock { queues in
            if queues.count >= Self.mostHooks { queues = [:] }
            queues[tenant] = (count, now)
        }
        return count
    }

    private static func tooMany(_ detail: String, _ seconds: Double) -> ProblemError {
        let pause = seconds < day ? Int(seconds.rounded(.up)) : Int(day)
        return ProblemError(
            Problem(429, "\(detail) Nothing was stored; try again in \(pause) s."),
            fields: [HTTPAnswer.Field("Retry-After", "\(max(pause, 1))")])
    }
}

extension RequestHead.BodyLength {
    /// A chunked body costs at least something.
    fileprivate var count: Double {
        switch self {
        case .none: 0
        case .known(let count): Double(count)
        case .chunked: 1
        }
    }
}
