/// The part of a host that its owner registered: `example.co.uk` of `m.news.example.co.uk`.
///
/// A small rule instead of the public suffix list: it decides which address a pin shows, and which domains count as one
/// sender's; never where a request may go.
public enum RegistrableDomain {
    /// The host itself where it has no part above it that was registered.
    public static func of(_ host: String) -> String {
        let labels = host.split(separator: ".")
        guard labels.count > 2 else { return host }
        let isSecondLevel =
            labels[labels.count - 1].count == 2 && secondLevels.contains(String(labels[labels.count - 2]))
        let isShared = sharedHosts.contains(labels.suffix(2).joined(separator: "."))
        return labels.suffix(isSecondLevel || isShared ? 3 : 2).joined(separator: ".")
    }

    /// Whether the name is a whole registry's: nobody's own domain.
    public static func isShared(_ host: String) -> Bool {
        let labels = host.split(separator: ".")
        guard labels.count == 2 else { return labels.count < 2 }
        return sharedHosts.contains(host) || labels[1].count == 2 && secondLevels.contains(String(labels[0]))
    }

    private static let secondLevels: Set<String> = [
        "co", "com", "org", "net", "gov", "ac", "edu", "or", "ne", "go", "gob", "gouv", "nom", "mil", "id", "ltd",
        "plc", "me", "sch", "nhs", "info", "biz", "web", "gv", "asn", "adv", "art", "blog", "k12", "lg", "ad", "gr",
    ]
    /// Everybody has a name of his own below these.
    private static let sharedHosts: Set<String> = [
        "blogspot.com", "github.io", "gitlab.io", "wordpress.com", "tumblr.com", "netlify.app", "vercel.app",
        "pages.dev", "web.app", "herokuapp.com", "medium.com", "substack.com", "livejournal.com", "ampproject.org",
        "uk.com", "us.com", "eu.com", "de.com", "br.com", "cn.com", "jpn.com", "za.com", "ru.com", "sa.com", "co.com",
        "gr.com", "mex.com", "se.net", "uk.net", "gb.net", "hu.net", "jp.net", "in.net", "eu.org", "us.org", "ae.org",
        "workers.dev", "firebaseapp.com", "onmicrosoft.com", "duckdns.org", "dyndns.org", "no-ip.org", "ddns.net",
        "amazonaws.com", "azurewebsites.net", "cloudfront.net", "fly.dev", "onrender.com", "myshopify.com",
    ]
}
