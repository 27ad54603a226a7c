internal import PinpostCore

/// What is answered at once in a chat to which nothing can be said later.
struct ChatReceipt {
    let files: Int
    let links: Int
    /// Why the files cannot be fetched; nil: they can.
    let obstacle: String?

    var text: String {
        guard let obstacle, files > 0 else { return Self.received }
        let missed = files == 1 ? "The file is left out" : "\(files) files are left out"
        return "\(links > 0 ? "\(Self.received) " : "Nothing is pinned. ")\(missed): \(obstacle)."
    }

    private static let received = "Received, and on its way to the board."

    /// What a hook lacks that answers every request, but fetches files only with a token and an address of its own.
    static func obstacle(_ access: ProviderAccess, token: String) -> String? {
        var missing: [(what: String, flag: String)] = []
        if access.token == nil { missing.append(("no \(token)", "--token-file FILE")) }
        if access.settings.apiBase == nil { missing.append(("no address of the server", "--api-base URL")) }
        guard !missing.isEmpty else { return nil }
        let (things, flags) = (missing.map(\.what), missing.map(\.flag))
        return "the hook has \(things.joined(separator: " and ")) to fetch it with; "
            + "`pinpost hook set TENANT \(access.hook) \(flags.joined(separator: " "))` adds that"
    }
}
