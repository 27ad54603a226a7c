/// The recorded cases that are not replayed, each with its reason.
enum ContractExclusions {
    /// Names, or the start of names (`…*`).
    private static let table: [(pattern: String, reason: String)] = [
        ("3-paths/*-debug-*", "Pinry's DEBUG mode: no installation for others runs it"),
        ("2-auth/40-*", "logging in with a password: Pinpost uses tokens only, the double has no sessions"),
        ("2-auth/42-*", "logging in with a password"),
        ("2-auth/43*", "logging in with a password"),
        ("2-auth/44-*", "a session cookie, not in the recording"),
        ("2-auth/45-*", "a session cookie, not in the recording"),
        ("2-auth/46-*", "a session cookie, not in the recording"),
        ("2-auth/66-*", "a session cookie, not in the recording"),
        ("2-auth/67-*", "a session cookie, not in the recording"),
        ("2-auth/68-*", "a session cookie, not in the recording"),
        ("13-private-mode-session/*", "sessions in private mode"),
        ("4-nginx-docker-like/*-follow*", "the recording's own client followed redirects: says nothing about Pinry"),
        ("4-nginx-docker-like/10-*", "nginx's redirect to https, with its own page"),
        ("4-nginx-docker-like/17-*", "plain http to a TLS port: nginx's own answer"),
        ("14-boards/private-pin-media-anon-nginx", "the picture's path comes from a step that is not recorded"),
        ("6-url-pins/31-*", "nginx's 502 after 30 s of gunicorn's silence"),
        ("11-timeouts/02-*", "the recording's client gave up: there is no answer to compare"),
    ]

    static func reason(for id: String) -> String? {
        table.first { matches(id, $0.pattern) }?.reason
    }

    /// Stars stand for anything.
    private static func matches(_ id: String, _ pattern: String) -> Bool {
        var rest = id[...]
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() where !part.isEmpty {
            guard let found = rest.firstRange(of: part), index > 0 || found.lowerBound == rest.startIndex else {
                return false
            }
            rest = rest[found.upperBound...]
        }
        return parts.last == "" || rest.isEmpty
    }
}
