import Mail
import PinpostCore
import StoreSQLite
import Web

/// `pinpost serve`: everything that runs until SIGTERM.
struct Daemon: Sendable {
    let composition: Composition

    /// Serves until the stop is asked for; then requests under way and steps under way are finished.
    func run(until shutdown: Shutdown) async throws {
        let admin = AdminSocketService(
            path: composition.configuration.data.socket, handler: AdminHandler(desk: composition.desk),
            logger: composition.logger)
        let listener = try makeListener(until: shutdown)
        let lmtp = try makeLMTP()
        let metrics = try makeMetrics(until: shutdown)
        composition.logger.info(
            "ready",
            [
                "listen": "\(composition.configuration.listener.address.host):\(listener.port)",
                "data": composition.configuration.data.folder, "version": Version.current,
            ])
        try await ServiceGroup(
            [listener, admin, composition.mailboxService] + lmtp + metrics + composition.workers
        ).run(until: shutdown)
        composition.logger.info("stopped")
    }

    /// The listener for mail servers, where one is wished.
    private func makeLMTP() throws -> [any Service] {
        guard let endpoint = composition.configuration.mail.lmtp else { return [] }
        var limits = LMTPLimits()
        limits.messageBytes = composition.configuration.mail.messageBytes
        do {
            return [
                LMTPService(
                    on: try LMTPListener(on: endpoint), intake: composition.mailIntake, limits: limits,
                    logger: composition.logger)
            ]
        } catch {
            throw Failure("listen", error.description, exit: .unavailable)
        }
    }

    /// The listener for what watches Pinpost, where one is wished.
    private func makeMetrics(until shutdown: Shutdown) throws -> [any Service] {
        guard let address = composition.configuration.listener.metrics else { return [] }
        let service = MetricsService(
            health: composition.health, until: shutdown, metrics: composition.metrics)
        return [try listen(on: address, for: .metricsListen, service)]
    }

    private func listen(
        on address: HostAndPort, for key: ConfigurationKey, _ handler: any RequestHandler
    ) throws -> HTTPListener {
        guard let address = ListenAddress(address.description) else {
            throw Failure("configuration", "\(key.rawValue) is not ADDRESS:PORT.", exit: .configuration)
        }
        do {
            var limits = ListenerLimits()
            limits.proxies = composition.configuration.listener.limits.trustedProxies
            return try HTTPListener(
                on: address, handler: handler, blobs: composition.store.blobs(for: .receiving), pool: composition.pool,
                limits: limits)
        } catch {
            throw Failure("listen", "\(error.description) (\(key.rawValue))", exit: .unavailable)
        }
    }

    private func makeListener(until shutdown: Shutdown) throws -> HTTPListener {
        let settings = composition.configuration.listener
        let store = composition.store
        let web = WebService(
            WebService.Ports(
                directory: store, sink: composition.sink, history: store, blobs: store, pool: composition.pool,
                surroundings: composition.surroundings, health: composition.health, logger: composition.logger,
                publicURL: settings.publicURL, providers: composition.providers, undo: composition.undo,
                limits: settings.limits, allowance: composition.allowance),
            until: shutdown)
        return try listen(on: settings.address, for: .listen, web)
    }
}
