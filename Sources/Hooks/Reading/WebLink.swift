internal import PinpostCore

/// Links that a pin may have: http or https, with a host.
enum WebLink {
    /// What Pinry stores.
    static let longest = 2_048

    /// The link without white space around it; nil where it cannot be one.
    static func checked(_ text: String) -> String? {
        let link = text.trimmed
        guard link.utf8.count <= longest, let scheme = scheme(of: link),
            link.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace })
        else { return nil }
        let host = link.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return host.isEmpty || host.hasPrefix(":") ? nil : link
    }

    /// `http://` or `https://` as written.
    private static func scheme(of link: String) -> Substring? {
        for scheme in ["http://", "https://"] where link.prefix(scheme.count).lowercased() == scheme {
            return link.prefix(scheme.count)
        }
        return nil
    }
}
