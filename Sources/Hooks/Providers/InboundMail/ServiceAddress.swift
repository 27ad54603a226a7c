internal import PinpostCore

/// An address that a service's payload names, below which it keeps files for whoever has the key.
///
/// Whoever sent the payload chose it: only the path is believed, the host has to be one of the service's.
struct ServiceAddress {
    let scheme: String
    let host: String
    /// Path and query.
    let path: String

    /// nil where it is not http or https, or has credentials in it.
    init?(_ text: String) {
        guard let link = WebLink.checked(text), let colon = link.firstRange(of: "://") else { return nil }
        scheme = link[..<colon.lowerBound].lowercased()
        let rest = link[colon.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@"), !authority.contains("\\") else { return nil }
        host = authority.lowercased()
        let path = rest[authority.endIndex...].prefix { $0 != "#" }
        self.path = path.hasPrefix("/") ? String(path) : "/" + path
    }

    /// Scheme, host and port.
    var origin: String { "\(scheme)://\(host)" }

    /// Where the file is fetched: below the hook's `--api-base` where it has one, else at one of the service's hosts.
    func url(with access: ProviderAccess, hosts: [String]) throws(ProviderError) -> String {
        if let base = access.settings.apiBase { return base + path }
        return try url(atOneOf: hosts)
    }

    /// The address itself, where it is one of these hosts or below one.
    func url(atOneOf hosts: [String]) throws(ProviderError) -> String {
        guard scheme == "https", hosts.contains(where: { host == $0 || host.hasSuffix("." + $0) }) else {
            throw ProviderError(.refused, "The file does not lie with the service.")
        }
        return origin + path
    }
}
