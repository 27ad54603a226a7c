public import Hooks
public import PinpostCore

/// Sends each request to its route; the paths of the HTTP interface stand here.
public struct WebService: RequestHandler {
    /// What the routes need of the rest of Pinpost.
    public struct Ports: Sendable {
        public var directory: any TenantDirectory
        public var sink: any MessageSink
        public var history: any MessageHistory
        public var blobs: any BlobStore
        public var pool: BlockingPool
        public var surroundings: Surroundings
        public var health: HealthChecks
        public var logger: Logger
        /// From configuration, never from a request; its path stands before those of `Location`.
        public var publicURL: String?
        /// Named providers; nil: there are none.
        public var providers: ProviderDesk?
        public var undo: PinUndo?
        public var limits: RequestLimits
        /// What `sink` charges.
        public var allowance: any Allowance

        public init(
            directory: any TenantDirectory, sink: any MessageSink, history: any MessageHistory,
            blobs: any BlobStore, pool: BlockingPool, surroundings: Surroundings,
            health: HealthChecks = HealthChecks(), logger: Logger = .silent, publicURL: String? = nil,
            providers: ProviderDesk? = nil, undo: PinUndo? = nil, limits: RequestLimits = RequestLimits(),
            allowance: any Allowance
        ) {
            self.directory = directory
            self.sink = sink
            self.history = history
            self.blobs = blobs
            self.pool = pool
            self.surroundings = surroundings
            self.health = health
            self.logger = logger
            self.publicURL = publicURL
            self.providers = providers
            self.undo = undo
            self.limits = limits
            self.allowance = allowance
        }
    }

    private let hooks: HookEntrance
    private let messages: MessageRoute
    private let undo: UndoRoute
    private let health: HealthRoute
    private let publicURL: String?

    /// Makes the routes; from the shutdown on the service is not ready, and nobody waits for pins any more.
    public init(_ ports: Ports, until shutdown: Shutdown) {
        let statuses = MessageStatuses(ports: ports, shutdown: shutdown)
        let limiter = RequestLimiter(ports.limits, history: ports.history, allowance: ports.allowance)
        hooks = HookEntrance(ports: ports, statuses: statuses, limiter: limiter)
        messages = MessageRoute(ports: ports, statuses: statuses, limiter: limiter)
        undo = UndoRoute(ports: ports, limiter: limiter)
        publicURL = ports.publicURL
        health = HealthRoute(checks: ports.health, shutdown: shutdown)
    }

    public func open(_ head: RequestHead) async -> Opening {
        var path = head.target.segments
        // Many people and some senders end a URL with a slash.
        if path.count > 1, path.last == "" { path.removeLast() }
        switch (path.first, path.count) {
        case ("v1", 3...Self.mostSegments) where path[1] == "hooks":
            return await CrossOrigin.open(head) {
                await hooks.open(head, hook: path[2], behind: Array(path.dropFirst(3)))
            }
        case ("openapi.json", 1): return .answer(InterfaceDescription.answer(head, publicURL: publicURL))
        case ("v1", 3...4) where path[1] == "messages":
            return .answer(await messages.answer(head, message: path[2], secret: path.count == 4 ? path[3] : nil))
        case ("v1", 5) where path[1] == "messages" && path[3] == "undo":
            return .answer(await undo.answer(head, message: path[2], key: path[4]))
        case ("healthz", 1): return .answer(await health.live(head))
        case ("readyz", 1): return .answer(await health.ready(head))
        default: return .answer(Self.nothing)
        }
    }

    /// Some providers add to the address that they were given.
    private static let mostSegments = 12
    static let nothing = Problem(404, "There is nothing at this path.").answer()
}
