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

    var url: String { "\(scheme)://\(host)\(path)" }

    /// Whether it is at one of these hosts or below one, by https.
    func isAt(_ hosts: [String]) -> Bool {
        scheme == "https" && hosts.contains { host == $0 || host.hasSuffix("." + $0) }
    }
}

extension ProviderAccess {
    /// Where a file is fetched with the hook's credentials: at the service's hosts, or at that of `--api-base`.
    func address(_ text: String, at hosts: [String]) throws(ProviderError) -> String {
        guard let address = ServiceAddress(text) else {
            throw ProviderError(.refused, "The file has no address.")
        }
        // An API's base at one of its own hosts is no other place.
        let isUsual = settings.apiBase.flatMap(ServiceAddress.init)?.isAt(hosts) ?? true
        let found = isUsual ? address.isAt(hosts) ? address.url : nil : moved(address.url) { _ in address.isAt(hosts) }
        guard let found else { throw ProviderError(.refused, "The file does not lie with the service.") }
        return found
    }
}
