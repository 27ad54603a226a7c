internal import FoundationEssentials
internal import PinpostCore

/// Opens a mailbox's password, or gets an OAuth 2 access token for its refresh token (RFC 6749 section 6).
actor AccessTokens {
    private let ports: MailboxPorts
    private let mailbox: WatchedMailbox
    private var current: (token: Secret, until: Date)?

    /// A token is got anew so long before it ends.
    private static let margin: TimeInterval = 60
    /// Where the provider does not say how long a token lives, and the longest that it is believed to.
    private static let (usualLife, longestLife): (TimeInterval, TimeInterval) = (300, 86_400)

    init(of mailbox: WatchedMailbox, ports: MailboxPorts) {
        self.mailbox = mailbox
        self.ports = ports
    }

    /// The password, or a live access token.
    func secret() async throws(IMAPError) -> Secret {
        guard let client = mailbox.settings.oauth else { return try open(mailbox.secret) }
        if let current, current.until > ports.surroundings.now() { return current.token }
        let grant = try await inTurn { () async throws(IMAPError) in try await self.refresh(client) }
        guard let token = grant.accessToken else {
            throw IMAPError(.busy, "no access token came (token endpoint)")
        }
        let lifetime = min(max(grant.lifetime ?? Self.usualLife, 0), Self.longestLife) - Self.margin
        current = (token, ports.surroundings.now() + lifetime)
        return token
    }

    /// The server did not take the token, however long it should have lived.
    func forget() { current = nil }

    /// Stores a refresh token that the store could not take when it came.
    func save() async {
        guard await ports.refreshTokens.isHolding(mailbox.id) else { return }
        try? await inTurn { () async throws(IMAPError) in _ = try await self.present() }
    }

    /// One after the other, whoever works with this mailbox's refresh token.
    private func inTurn<Result>(
        _ body: () async throws(IMAPError) -> Result
    ) async throws(IMAPError) -> Result {
        await ports.refreshTokens.begin(mailbox.id)
        let result: Swift.Result<Result, IMAPError>
        do throws(IMAPError) { result = .success(try await body()) } catch { result = .failure(error) }
        await ports.refreshTokens.end(mailbox.id)
        return try result.get()
    }

    /// What counts now, wherever it came from.
    private struct Present {
        let token: Secret
        let clientSecret: SealedSecret?
        /// What lies in the store.
        let stored: SealedSecret
        let isHeld: Bool
    }

    /// Others use up refresh tokens too, and a person may have authorized the mailbox anew: the store knows the last one.
    private func present() async throws(IMAPError) -> Present {
        let found: WatchedMailbox
        do {
            found = try await ports.directory.mailboxes().first { $0.id == mailbox.id } ?? mailbox
        } catch {
            throw IMAPError(error)
        }
        guard let held = await ports.refreshTokens.held(of: mailbox.id, inPlaceOf: found.secret) else {
            let token = try open(found.secret)
            return Present(token: token, clientSecret: found.clientSecret, stored: found.secret, isHeld: false)
        }
        let stored = await store(held) ?? found.secret
        return Present(
            token: held, clientSecret: found.clientSecret, stored: stored, isHeld: stored.id == found.secret.id)
    }

    private func refresh(_ client: OAuthClient) async throws(IMAPError) -> OAuthGrant {
        let first = try await present()
        do throws(IMAPError) {
            return try await refresh(client, with: first)
        } catch {
            guard error.code == .loginRefused, error.responseCode == "invalid_grant" else { throw error }
            // It is dead. Another process may have stored a living one since.
            if first.isHeld { await ports.refreshTokens.forget(mailbox.id) }
            let second = try await present()
            guard first.isHeld || second.stored.id != first.stored.id else { throw error }
            return try await refresh(client, with: second)
        }
    }

    private func refresh(_ client: OAuthClient, with present: Present) async throws(IMAPError) -> OAuthGrant {
        // A mailbox is added before anybody has agreed.
        guard present.token.count > 0 else { throw IMAPError(.notAuthorized, mailbox.name) }
        var form = OAuthForm(["grant_type": "refresh_token", "client_id": client.clientID])
        form.add("refresh_token", present.token)
        if let sealed = present.clientSecret { form.add("client_secret", try open(sealed)) }
        if let scope = client.scope { form.add("scope", scope) }
        let grant = try await OAuthEndpoint(url: client.tokenEndpoint, http: ports.http).grant(form)
        // The old refresh token may be dead already: nothing else happens before the new one is safe.
        if let next = grant.refreshToken {
            await ports.refreshTokens.hold(next, of: mailbox.id, inPlaceOf: present.stored)
            _ = await store(next)
        }
        return grant
    }

    private func open(_ sealed: SealedSecret) throws(IMAPError) -> Secret {
        do {
            return try ports.keeper.open(sealed, of: WatchedMailbox.sealingName(of: mailbox.id))
        } catch {
            throw IMAPError(.localFailure, error.description)
        }
    }

    /// Puts a refresh token into the store, which may have no room now: then it stays in memory, and nil is returned.
    private func store(_ token: Secret) async -> SealedSecret? {
        do {
            let owner = WatchedMailbox.sealingName(of: mailbox.id)
            let sealed = try ports.keeper.seal(token, for: .mailboxPassword, of: owner)
            try await ports.directory.replaceSecret(of: mailbox.id, with: sealed)
            await ports.refreshTokens.forget(mailbox.id)
            return sealed
        } catch {
            ports.logger.warning(
                "a new refresh token cannot be stored; it is kept in memory and tried again", ["reason": "\(error)"])
            return nil
        }
    }
}
