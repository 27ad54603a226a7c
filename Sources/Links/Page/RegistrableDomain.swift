/// The part of a host that its owner registered: `example.co.uk` of `m.news.example.co.uk`.
///
/// A small rule instead of the public suffix list: it decides only which address a pin shows, never where a request
/// may go.
enum RegistrableDomain {
    static func of(_ host: String) -> String {
        let labels = host.split(separator: ".")
        guard labels.count > 2 else { return host }
        let isSecondLevel =
            labels[labels.count - 1].count == 2 && secondLevels.contains(String(labels[labels.count - 2]))
        let isShared = sharedHosts.contains(labels.suffix(2).joined(separator: "."))
        return labels.suffix(isSecondLevel || isShared ? 3 : 2).joined(separator: ".")
    }

    private static let secondLevels: Set<String> = [
        "co", "com", "org", "net", "gov", "ac", "edu", "or", "ne", "go", "gob", "gouv", "nom", "mil", "id", "ltd",
        "plc",
    ]
    /// Everybody has a name of his own below these.
    private static let sharedHosts: Set<String> = [
        "blogspot.com", "github.io", "gitlab.io", "wordpress.com", "tumblr.com", "netlify.app", "vercel.app",
        "pages.dev", "web.app", "herokuapp.com", "medium.com", "substack.com", "livejournal.com", "ampproject.org",
    ]
}
