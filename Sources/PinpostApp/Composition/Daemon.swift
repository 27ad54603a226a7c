import Mail
import PinpostCore
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
        composition.logger.info(
            "ready",
            [
                "listen": "\(composition.configuration.listener.address.host):\(listener.port)",
                "data": composition.configuration.data.folder, "version": Version.current,
            ])
        try await ServiceGroup(
            [listener, admin, composition.mailboxService] + lmtp + composition.workers
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

    private func makeListener(until shutdown: Shutdown) throws -> HTTPListener {
        let settings = composition.configuration.listener
        guard let address = ListenAddress(settings.address.description) else {
            throw Failure("configuration", "PINPOST_LISTEN is not ADDRESS:PORT.", exit: .configuration)
        }
        let store = composition.store
        let web = WebService(
            WebService.Ports(
                directory: store, sink: store, history: store, blobs: store, pool: composition.pool,
                surroundings: composition.surroundings, health: composition.health, logger: composition.logger,
                publicURL: settings.publicURL, providers: composition.providers, undo: composition.undo,
                limits: settings.limits),
            until: shutdown)
        do {
            var limits = ListenerLimits()
            limits.proxies = settings.limits.trustedProxies
            return try HTTPListener(on: address, handler: web, blobs: store, pool: composition.pool, limits: limits)
        } catch {
            throw Failure("listen", error.description, exit: .unavailable)
        }
    }
}
