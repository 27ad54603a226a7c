/// What a pin says when its sender said nothing.
public enum DefaultDescription {
    public static func ofImage(named name: String?) -> String {
        guard let name, !name.isEmpty, !OwnSecrets.areIn(name) else { return "Image" }
        return "Image: \(name)"
    }

    public static func ofLink(_ url: String) -> String { "Link from \(host(of: url))" }

    /// The host of an http(s) link as written, for people to read; never a ground for a decision about addresses.
    public static func host(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }
}

extension Item.Kind {
    public var defaultDescription: String {
        switch self {
        case .image(_, let name): DefaultDescription.ofImage(named: name)
        case .link(let link): DefaultDescription.ofLink(link.url)
        case .media(let media): DefaultDescription.ofImage(named: media.name)
        }
    }
}
