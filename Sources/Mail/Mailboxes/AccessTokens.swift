internal import FoundationEssentials
internal import PinpostCore

/// Opens a mailbox's password, or gets an OAuth 2 access token for its refresh token (RFC 6749 section 6).
actor AccessTokens {
    private let ports: MailboxPorts
    private let mailbox: WatchedMailbox
    /// The one that counts now; providers rotate refresh tokens.
    private var refreshToken: SealedSecret
    private var current: (token: Secret, until: Date)?

    /// A token is got anew so long before it ends.
    private static let margin: TimeInterval = 60

    init(of mailbox: WatchedMailbox, ports: MailboxPorts) {
        self.mailbox = mailbox
        self.ports = ports
        refreshToken = mailbox.secret
    }

    /// The password, or a live access token.
    func secret() async throws(IMAPError) -> Secret {
        guard let client = mailbox.settings.oauth else { return try open(refreshToken) }
        if let current, current.until > ports.surroundings.now() { return current.token }
        let grant = try await refresh(client)
        let lifetime = TimeInterval(max(grant.expiresIn ?? 300, 0)) - Self.margin
        current = (grant.accessToken, ports.surroundings.now() + lifetime)
        return grant.accessToken
    }

    /// The server did not take the token, however long it should have lived.
    func forget() { current = nil }

    private func open(_ sealed: SealedSecret) throws(IMAPError) -> Secret {
        do {
            return try ports.keeper.open(sealed, of: WatchedMailbox.sealingName(of: mailbox.id))
        } catch {
            throw IMAPError(.localFailure, error.description)
        }
    }

    private func refresh(_ client: OAuthClient) async throws(IMAPError) -> OAuthGrant {
        let token = try open(refreshToken)
        // A mailbox is added before anybody has agreed.
        guard token.count > 0 else { throw IMAPError(.notAuthorized, mailbox.name) }
        var form = OAuthForm(["grant_type": "refresh_token", "client_id": client.clientID])
        form.add("refresh_token", token)
        if let sealed = mailbox.clientSecret { form.add("client_secret", try open(sealed)) }
        if let scope = client.scope { form.add("scope", scope) }
        let grant = try await OAuthEndpoint(url: client.tokenEndpoint, http: ports.http).grant(form)
        if let next = grant.refreshToken { try await keep(next) }
        return grant
    }

    /// The old refresh token may be dead already: nothing else happens before the new one is on disk.
    private func keep(_ token: Secret) async throws(IMAPError) {
        do {
            let owner = WatchedMailbox.sealingName(of: mailbox.id)
            let sealed = try ports.keeper.seal(token, for: .mailboxPassword, of: owner)
            try await ports.directory.replaceSecret(of: mailbox.id, with: sealed)
            refreshToken = sealed
        } catch {
            throw IMAPError(.localFailure, "A new refresh token cannot be stored: \(error)")
        }
    }
}
