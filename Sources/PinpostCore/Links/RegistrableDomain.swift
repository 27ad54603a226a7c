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
        guard labels.count > 1 else { return true }
        if sharedHosts.contains(host) { return true }
        // `fr.eu.org`, `k12.ca.us`: registries below registries.
        if labels.count == 3, sharedHosts.contains(labels.suffix(2).joined(separator: ".")) {
            return labels[0].utf8.count == 2
        }
        return labels.count == 2 && labels[1].utf8.count == 2 && secondLevels.contains(String(labels[0]))
    }

    /// Whether strangers may have names below this one, as far as can be told without a list of all registries.
    ///
    /// Below countries and their second levels many more registries exist than anybody lists: `msk.ru`, `asso.fr`,
    /// `nsw.edu.au`. What is as short as they are may be one of them.
    public static func mayBeShared(_ host: String) -> Bool {
        if isShared(host) { return true }
        let labels = host.split(separator: ".")
        guard let top = labels.last, top.utf8.count == 2 else { return false }
        let isBelowSecondLevel = labels.count == 3 && secondLevels.contains(String(labels[1]))
        return (labels.count == 2 || isBelowSecondLevel) && labels[0].utf8.count <= longestUnlisted
    }

    /// Characters of the registries that are in no list of ours.
    private static let longestUnlisted = 4

    private static let secondLevels: Set<String> = [
        "co", "com", "org", "net", "gov", "ac", "edu", "or", "ne", "go", "gob", "gouv", "nom", "mil", "id", "ltd",
        "plc", "me", "sch", "nhs", "info", "biz", "web", "gv", "asn", "adv", "art", "blog", "k12", "lg", "ad", "gr",
        "police", "school", "geek", "maori", "kiwi", "presse", "priv",
    ]
    /// Everybody has a name of his own below these.
    private static let sharedHosts: Set<String> = [
        "blogspot.com", "github.io", "gitlab.io", "wordpress.com", "tumblr.com", "netlify.app", "vercel.app",
        "pages.dev", "web.app", "herokuapp.com", "medium.com", "substack.com", "livejournal.com", "ampproject.org",
        "uk.com", "us.com", "eu.com", "de.com", "br.com", "cn.com", "jpn.com", "za.com", "ru.com", "sa.com", "co.com",
        "gr.com", "mex.com", "se.net", "uk.net", "gb.net", "hu.net", "jp.net", "in.net", "eu.org", "us.org", "ae.org",
        "workers.dev", "firebaseapp.com", "onmicrosoft.com", "duckdns.org", "dyndns.org", "no-ip.org", "ddns.net",
        "amazonaws.com", "azurewebsites.net", "cloudfront.net", "fly.dev", "onrender.com", "myshopify.com",
        // Names that anybody can have, with records of his own choice.
        "dedyn.io", "dpdns.org", "qzz.io", "us.kg", "pp.ua", "is-a.dev", "js.org", "mooo.com", "us.to",
        "chickenkiller.com",
        "strangled.net", "hopto.org", "zapto.org", "sytes.net", "myddns.me", "dynv6.net", "freeddns.org", "cloudns.net",
        "cloudns.org", "dnsalias.com", "dnsalias.net", "dnsalias.org", "homeip.net", "dyndns.info", "nsupdate.info",
        "spdns.org", "spdns.eu", "goip.de", "ddnss.de", "dnshome.de", "myfritz.net", "synology.me", "selfhost.eu",
        "afraid.org",
    ]
}
