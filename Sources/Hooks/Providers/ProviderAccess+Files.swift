public import PinpostCore

extension ProviderAccess {
    /// What the hook lacks to fetch files, and the remedy, for the admin; nil where nothing is missing.
    ///
    /// `token` is what people call it there; `knowsServer` says that the provider has one API for all.
    func obstacleToFiles(token name: String, knowsServer: Bool = false) -> String? {
        var missing: [(what: String, flag: String)] = []
        if token == nil { missing.append((name, "--token-file FILE")) }
        if settings.apiBase == nil, !knowsServer { missing.append(("the address of the server", "--api-base URL")) }
        guard !missing.isEmpty else { return nil }
        let (things, flags) = (missing.map(\.what), missing.map(\.flag))
        return "no way to fetch files is set up; `pinpost hook set TENANT \(hook) \(flags.joined(separator: " "))` "
            + "gives the hook \(things.joined(separator: " and "))"
    }
}

extension ProviderDesk {
    /// Why a hook of that provider cannot fetch the files of its messages, and the remedy; nil: it can, or need not.
    public static func obstacleToFiles(
        of provider: String, hook: Hook.ID, hasToken: Bool, apiBase: String?
    ) -> String? {
        let token = hasToken ? Secret(copying: [0]) : nil
        let access = ProviderAccess(hook: hook, settings: HookSettings(apiBase: apiBase), token: token)
        return Providers.named(provider)?.obstacle(toFilesWith: access)
    }
}
