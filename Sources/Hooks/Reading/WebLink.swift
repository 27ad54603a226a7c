internal import PinpostCore

/// Links that a pin may have: http or https, with a host.
enum WebLink {
    /// What Pinry stores.
    static let longest = 2_048

    /// The link without white space around it; nil where it cannot be one.
    static func checked(_ text: String) -> String? {
        let link = text.trimmed
        guard link.utf8.count <= longest, let scheme = scheme(of: link),
            isPlain(link)
                || link.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace }
                )
        else { return nil }
        let host = link.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return host.isEmpty || host.hasPrefix(":") ? nil : link
    }

    /// ASCII without white space and control characters, as nearly all links are.
    private static func isPlain(_ link: String) -> Bool { link.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }

    /// `http://` or `https://` as written.
    private static func scheme(of link: String) -> Substring? {
        for scheme in ["http://", "https://"] where begins(link, with: scheme) {
            let written = link.prefix(scheme.count)
            // An accent that sits on the last slash is part of it.
            return written.utf8.count == scheme.utf8.count ? written : nil
        }
        return nil
    }

    /// Whether the link begins with a scheme in lower case, whatever its own case.
    private static func begins(_ link: String, with scheme: String) -> Bool {
        var bytes = link.utf8.makeIterator()
        // Of ASCII letters this bit is the case; the others of a scheme have it set.
        return scheme.utf8.allSatisfy { byte in bytes.next().map { $0 | 0x20 } == byte }
    }
}
