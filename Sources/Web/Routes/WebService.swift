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

        public init(
            directory: any TenantDirectory, sink: any MessageSink, history: any MessageHistory,
            blobs: any BlobStore, pool: BlockingPool, surroundings: Surroundings,
            health: HealthChecks = HealthChecks(), logger: Logger = .silent, publicURL: String? = nil,
            providers: ProviderDesk? = nil, undo: PinUndo? = nil
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
        }
    }

    private let ports: Ports
    private let hooks: HookRoute
    private let messages: MessageRoute
    private let health: HealthRoute

    /// Makes the routes; from the shutdown on the service is not ready, and nobody waits for pins any more.
    public init(_ ports: Ports, until shutdown: Shutdown) {
        self.ports = ports
        let statuses = MessageStatuses(ports: ports, shutdown: shutdown)
        hooks = HookRoute(ports: ports, statuses: statuses)
        messages = MessageRoute(ports: ports, statuses: statuses)
        health = HealthRoute(checks: ports.health, shutdown: shutdown)
    }

    /// nil for a hook of our own form, an unknown one, and one that cannot be looked up: `HookRoute` answers for them.
    private func providerRoute(of id: String) async -> ProviderRoute? {
        guard let providers = ports.providers, let hook = try? await ports.directory.hook(Hook.ID(id)),
            let entrance = providers.entrance(of: hook)
        else { return nil }
        return ProviderRoute(ports: ports, hook: hook, entrance: entrance)
    }

    public func open(_ head: RequestHead) async -> Opening {
        let path = head.target.segments
        switch (path.first, path.count) {
        case ("v1", 3...4) where path[1] == "hooks":
            let secret = path.count == 4 ? path[3] : nil
            if let provider = await providerRoute(of: path[2]) {
                return provider.open(head, presenting: HookCredential.presented(by: head, secret: secret))
            }
            return await hooks.open(head, hook: path[2], secret: secret)
        case ("v1", 3...4) where path[1] == "messages":
            return .answer(await messages.answer(head, message: path[2], secret: path.count == 4 ? path[3] : nil))
        case ("healthz", 1): return .answer(await health.live(head))
        case ("readyz", 1): return .answer(await health.ready(head))
        default: return .answer(Problem(404, "There is nothing at this path.").answer())
        }
    }
}
