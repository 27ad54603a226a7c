internal import FoundationEssentials
public import PinpostCore

/// Gets the refresh token of a mailbox from its provider, and puts it at once where the watcher looks for it.
public struct MailboxAuthorization: Sendable {
    private let mailbox: WatchedMailbox
    private let client: OAuthClient
    private let ports: MailboxPorts

    /// Fails with `.loginRefused` for a mailbox that logs in with a password.
    public init(of mailbox: WatchedMailbox, _ ports: MailboxPorts) throws(IMAPError) {
        guard let client = mailbox.settings.oauth else {
            throw IMAPError(.loginRefused, "The mailbox has no OAuth2 client; give it one with `pinpost mailbox set`.")
        }
        self.mailbox = mailbox
        self.client = client
        self.ports = ports
    }

    /// Redeems what the browser brought.
    public func redeem(code: Secret, verifier: Secret, redirect: String) async throws(IMAPError) {
        var form = OAuthForm([
            "grant_type": "authorization_code", "client_id": client.clientID, "redirect_uri": redirect,
        ])
        form.add("code", code)
        form.add("code_verifier", verifier)
        try await keep(try await grant(form))
    }

    /// Asks for a code that the person types on another machine.
    public func beginDevice() async throws(IMAPError) -> DeviceCode {
        guard let endpoint = client.deviceEndpoint else {
            throw IMAPError(.loginRefused, "The provider's device endpoint is not known; give --oauth-device-endpoint.")
        }
        var form = OAuthForm(["client_id": client.clientID])
        if let scope = client.scope { form.add("scope", scope) }
        let response = try await OAuthEndpoint(url: endpoint, http: ports.http).send(form)
        let answer = try? JSONDecoder().decode(DeviceAnswer.self, from: Data(response.body))
        guard response.status == 200, let answer, let secret = answer.device_code, let userCode = answer.user_code,
            let page = answer.verification_uri ?? answer.verification_url
        else { throw IMAPError(.loginRefused, "The device endpoint answers with status \(response.status).") }
        return DeviceCode(
            userCode: String(userCode.prefix(100)), page: String(page.prefix(500)),
            secret: Secret(copying: Array(secret.utf8)), interval: answer.interval?.value ?? 5,
            lifetime: min(answer.expires_in?.value ?? 900, 3_600))
    }

    /// Asks whether the person has agreed.
    public func redeem(device: Secret) async throws(IMAPError) -> DeviceCode.Verdict {
        var form = OAuthForm([
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": client.clientID,
        ])
        form.add("device_code", device)
        do throws(IMAPError) {
            try await keep(try await grant(form))
            return .granted
        } catch {
            switch error.responseCode {
            case "authorization_pending": return .pending
            case "slow_down": return .slowDown
            // A lost answer: the question may be asked again.
            case _ where error.code == .unreachable || error.code == .busy: return .slowDown
            default: throw error
            }
        }
    }

    private func grant(_ form: OAuthForm) async throws(IMAPError) -> OAuthGrant {
        var form = form
        if let sealed = mailbox.clientSecret { form.add("client_secret", try open(sealed)) }
        return try await OAuthEndpoint(url: client.tokenEndpoint, http: ports.http).grant(form)
    }

    private func open(_ sealed: SealedSecret) throws(IMAPError) -> Secret {
        do {
            return try ports.keeper.open(sealed, of: WatchedMailbox.sealingName(of: mailbox.id))
        } catch {
            throw IMAPError(.localFailure, error.description)
        }
    }

    /// Stores the token; a mailbox that was stopped is tried again.
    private func keep(_ grant: OAuthGrant) async throws(IMAPError) {
        guard let token = grant.refreshToken else {
            throw IMAPError(
                .loginRefused, "The provider gave no refresh token; ask for offline access in the scope.")
        }
        // A refresh that is under way would put its own token over this one.
        await ports.refreshTokens.begin(mailbox.id)
        let failure = await store(token)
        await ports.refreshTokens.end(mailbox.id)
        if let failure { throw failure }
    }

    private func store(_ token: Secret) async -> IMAPError? {
        do {
            var changed = mailbox
            changed.secret = try ports.keeper.seal(
                token, for: .mailboxPassword, of: WatchedMailbox.sealingName(of: mailbox.id))
            try await ports.directory.update(changed)
            await ports.refreshTokens.forget(mailbox.id)
            return nil
        } catch {
            return IMAPError(.localFailure, "The refresh token cannot be stored: \(error)")
        }
    }
}
