public import PinpostCore

/// What an adapter knows of the hook for which it works.
public struct ProviderAccess: Sendable {
    public let hook: Hook.ID
    public let settings: HookSettings
    /// What signs the provider's requests (`--secret-file`).
    public let secret: Secret?
    /// What opens the provider's API (`--token-file`).
    public let token: Secret?
    /// Nobody is asked who he is: a request is only explained.
    var allowsAll = false

    public init(hook: Hook.ID, settings: HookSettings, secret: Secret? = nil, token: Secret? = nil) {
        self.hook = hook
        self.settings = settings
        self.secret = secret
        self.token = token
    }
}

extension ProviderAccess {
    /// Whether the hook's allow-list has one of these; an empty list allows all where `byDefault` says so.
    func allows(_ names: [String?], byDefault: Bool) -> Bool {
        guard !allowsAll else { return true }
        guard !settings.allowed.isEmpty else { return byDefault }
        return names.contains { name in name.map { settings.allowed.contains($0) } ?? false }
    }

    /// The address of a call below the API's base.
    func url(_ path: String, of provider: some Provider) throws(ProviderError) -> String {
        guard let base = settings.apiBase ?? provider.apiBase else {
            throw ProviderError(.notConfigured, "The hook does not know where the API is; set --api-base.")
        }
        return base + path
    }

    /// A call below the API's base, with the token in `Authorization` where a scheme is given.
    func call(
        _ path: String, of provider: some Provider, method: String = "GET", scheme: String? = nil,
        body: HTTPRequest.Body = .none, responseLimit: Int = 1 << 20
    ) throws(ProviderError) -> ProviderCall {
        let url = try url(path, of: provider)
        var request = HTTPRequest(method: method, url: url, body: body, responseLimit: responseLimit)
        if let scheme {
            guard let token else { throw ProviderError(.notConfigured, "The hook has no token for the API.") }
            request.authorization = (scheme, token)
        }
        return ProviderCall(request, as: .provider(host: Self.host(of: url)))
    }

    /// An address that the provider gave, on the provider's hosts or on that of `--api-base`; nil on any other.
    ///
    /// With an `--api-base`, what lies on the provider's hosts is looked for there.
    func moved(_ url: String, where isProviders: (String) -> Bool) -> String? {
        guard let base = settings.apiBase else { return isProviders(url) ? url : nil }
        let origin = Self.origin(of: base)
        if Self.origin(of: url) == origin { return url }
        return isProviders(url) ? origin + url.dropFirst(Self.origin(of: url).count) : nil
    }

    /// `https://host:port`.
    static func origin(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
        return String(url[..<authority.endIndex])
    }

    /// The host of an address that an admin set or the provider's own adapter made.
    static func host(of url: String) -> String {
        let host = DefaultDescription.host(of: url)
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host.lowercased() }
        return host[..<colon].lowercased()
    }
}
