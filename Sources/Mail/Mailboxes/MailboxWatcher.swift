internal import CurlKit
internal import PinpostCore

/// Keeps one mailbox connected, for as long as it may; what goes wrong here is no other mailbox's concern.
struct MailboxWatcher: Sendable {
    let mailbox: WatchedMailbox
    let ports: MailboxPorts
    let waking: MailboxWaking

    private static let grace: Duration = .seconds(3)
    /// Between two tries to store a refresh token.
    private static let savingPause: Duration = .seconds(30)

    /// Runs until the stop is asked for, or until a person has to act.
    func run(until stop: Shutdown) async {
        let tokens = AccessTokens(of: mailbox, ports: ports)
        var failures = FailureCount()
        while !stop.isRequested, !Task.isCancelled {
            let generations = waking.generations
            do throws(IMAPError) {
                try await connected(with: tokens, until: stop) {
                    (session: inout MailboxSession) async throws(IMAPError) in
                    try await session.run(until: stop, waking: waking) { failures.succeeded(at: .now) }
                }
            } catch {
                if error.code == .cancelled { return }
                failures.count(error, ports.timings, at: .now)
                if error.code == .loginRefused { await tokens.forget() }
                let isOver = failures.refusedLogins >= ports.timings.refusedLogins || error.code == .notAuthorized
                await note(error, stop: isOver)
                if isOver { return }
                await waking.wait(
                    after: generations, finished: false, upTo: failures.pause(after: error, ports.timings), until: stop)
            }
        }
    }

    /// Work under way may be finished when the stop is asked for, but not for long.
    private func breakOff(_ connection: IMAPConnection, after stop: Shutdown) async {
        await stop.wait()
        try? await Task.sleep(for: Self.grace)
        if !Task.isCancelled { connection.cancel() }
    }

    /// A refresh token that the store could not take is handed to it again and again: memory does not outlive us.
    private func keepSaving(_ tokens: AccessTokens) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.savingPause)
            if !Task.isCancelled { await tokens.save() }
        }
    }

    /// One look, on a connection of its own.
    func runOnce() async throws(IMAPError) {
        try await connected(with: AccessTokens(of: mailbox, ports: ports), until: Shutdown()) {
            (session: inout MailboxSession) async throws(IMAPError) in try await session.runOnce()
        }
    }

    private func connected(
        with tokens: AccessTokens, until stop: Shutdown,
        _ body: (inout MailboxSession) async throws(IMAPError) -> Void
    ) async throws(IMAPError) {
        let connection = try IMAPConnection(limits: ports.limits)
        let login = mailbox.login(with: try await tokens.secret())
        var session = MailboxSession(mailbox, ports: ports, connection: connection)
        // Cancelled, and waited for, when the session ends by itself.
        async let _: Void = breakOff(connection, after: stop)
        async let _: Void = keepSaving(tokens)
        let result: Result<Void, IMAPError> = await withTaskCancellationHandler {
            do throws(IMAPError) {
                try await connection.open(mailbox.target, as: login)
                for alert in await connection.alerts { ports.logger.warning("the server says", ["alert": alert]) }
                try await body(&session)
                return .success(())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            connection.cancel()
        }
        await connection.close()
        await tokens.save()
        try result.get()
    }

    private func note(_ error: IMAPError, stop: Bool) async {
        ports.logger.warning(stop ? "mailbox stopped" : "mailbox failed", ["reason": error.description])
        let now = ports.surroundings.now()
        // A store that cannot take it will not take mails either; the log has it.
        try? await ports.state.noteFailure(of: mailbox.id, error.description, stop: stop, now: now)
    }
}

extension WatchedMailbox {
    var target: StreamTarget {
        let encryption: StreamTarget.Encryption =
            switch settings.encryption {
            case .tls: .tls
            case .starttls: .starttls
            case .none: .none
            }
        return StreamTarget(
            host: settings.host, port: settings.port, encryption: encryption, caPEM: settings.caPEM,
            pin: settings.pin, proxy: settings.proxy)
    }

    func login(with secret: Secret) -> StreamLogin {
        settings.oauth == nil
            ? .password(user: settings.username, secret) : .bearer(user: settings.username, secret)
    }
}
