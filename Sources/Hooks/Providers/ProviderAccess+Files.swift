internal import PinpostCore

extension ProviderAccess {
    /// What the hook lacks to fetch files, and the remedy; nil where nothing is missing.
    ///
    /// `token` is what people call it there; `knowsServer` says that the provider has one API for all.
    func obstacleToFiles(token name: String, knowsServer: Bool = false) -> String? {
        var missing: [(what: String, flag: String)] = []
        if token == nil { missing.append(("no \(name)", "--token-file FILE")) }
        if settings.apiBase == nil, !knowsServer { missing.append(("no address of the server", "--api-base URL")) }
        guard !missing.isEmpty else { return nil }
        let (things, flags) = (missing.map(\.what), missing.map(\.flag))
        return "the hook has \(things.joined(separator: " and ")) to fetch it with; "
            + "`pinpost hook set TENANT \(hook) \(flags.joined(separator: " "))` adds that"
    }
}
