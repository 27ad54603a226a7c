public import PinpostCore

/// What `hook add` has to be given for a provider.
public struct ProviderNeeds: Sendable, Hashable {
    public enum Origin: Sendable, Hashable {
        case none
        /// The provider shows it, and an admin gives it to us.
        case given
        /// We make it and tell the provider.
        case made
    }

    /// What signs the provider's requests.
    public var secret: Origin
    /// Without the token for its API the provider's hook is of no use.
    public var needsToken: Bool
    /// Every installation has an address of its own.
    public var needsAPIBase: Bool
    /// Options without which it cannot work.
    public var options: [String] = []
    /// Whether `--allow` names the same as the options.
    public var allowStandsForOptions = false
}

extension ProviderDesk {
    /// Whether the provider's requests have to present our own token.
    public static func needsToken(_ provider: String) -> Bool {
        Providers.named(provider)?.proof(of: "POST").needsToken ?? true
    }

    public static func needs(of provider: String) -> ProviderNeeds? { Providers.named(provider)?.needs }

    /// Whether the hook's secret is in the form that the provider's signatures want.
    public func check(_ hook: Hook) throws(ProviderError) {
        guard let provider = Providers.named(hook.provider) else { return }
        let access = try access(opening: hook)
        guard let scheme = provider.proof(of: "POST").scheme else {
            if let scheme = provider.additionalScheme, let secret = access.secret {
                try Self.check(secret, for: scheme, of: provider, hook.settings)
            }
            return
        }
        guard let secret = access.secret else { throw ProviderError(.notConfigured, "The hook needs a secret.") }
        try Self.check(secret, for: scheme, of: provider, hook.settings)
    }

    private static func check(
        _ secret: Secret, for scheme: SignatureScheme, of provider: any Provider, _ settings: HookSettings
    ) throws(ProviderError) {
        do throws(SignatureRefusal) {
            _ = try scheme.check(secret: secret, format: provider.signatureFormat(settings))
        } catch {
            throw ProviderError(.notConfigured, error.detail)
        }
    }

    /// Tells the provider about the hook, where it can be told; how many calls that took.
    public func register(_ hook: Hook, at url: String) async throws(ProviderError) -> Int {
        guard let provider = Providers.named(hook.provider) else { return 0 }
        let calls = try provider.registration(of: url, with: try access(opening: hook))
        for call in calls {
            let response = try await send(call)
            guard (200..<300).contains(response.status) else {
                throw ProviderError(
                    response.status >= 500 ? .unavailable : .notConfigured,
                    "\(provider.name) refused the hook: \(Self.words(in: response))")
            }
        }
        return calls.count
    }

    private func access(opening hook: Hook) throws(ProviderError) -> ProviderAccess {
        do throws(VaultError) { return try access(to: hook) } catch {
            throw ProviderError(.notConfigured, error.description)
        }
    }

    /// What the provider says; never the request.
    private static func words(in response: HTTPResponse) -> String {
        let answer = try? JSONTree(Array(response.body.prefix(16 << 10)))
        let words = answer?["description"]?.text ?? answer?["message"]?.text ?? answer?["error"]?.text
        return words.map { "\(String($0.prefix(200))) (\(response.status))" } ?? "status \(response.status)"
    }
}
