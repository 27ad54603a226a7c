/// Takes off what mail filters, chats and search engines put around a link, so that the page itself is pinned.
public enum LinkUnwrapper {
    /// The link inside, through up to three wrappers; the link itself where there is none.
    public static func unwrapped(_ url: String) -> String {
        var current = url
        for _ in 0..<3 {
            guard let inner = inner(of: current), inner != current else { break }
            current = inner
        }
        return current
    }

    private static func inner(of url: String) -> String? {
        let host = host(of: url)
        let candidate: String?
        switch host {
        case _ where host.hasSuffix(".safelinks.protection.outlook.com"): candidate = query("url", of: url)
        case "urldefense.proofpoint.com", "urldefense.com", "urldefense.us": candidate = proofpoint(url)
        case "www.google.com", "google.com": candidate = google(url)
        case _ where host.hasSuffix(".cdn.ampproject.org"): candidate = acceleratedPage(url, behind: ["/c/", "/v/"])
        case "l.facebook.com", "lm.facebook.com", "l.instagram.com", "l.messenger.com", "l.threads.net":
            candidate = query("u", of: url)
        case "out.reddit.com", "href.li": candidate = query("url", of: url) ?? bareQuery(of: url)
        case "www.youtube.com", "youtube.com": candidate = isPath("/redirect", of: url) ? query("q", of: url) : nil
        case "www.linkedin.com": candidate = isPath("/redir/redirect", of: url) ? query("url", of: url) : nil
        case "steamcommunity.com": candidate = isPath("/linkfilter/", of: url) ? query("url", of: url) : nil
        case "duckduckgo.com": candidate = isPath("/l/", of: url) ? query("uddg", of: url) : nil
        case "t.umblr.com": candidate = isPath("/redirect", of: url) ? query("z", of: url) : nil
        case "slack-redir.net", "www.slack-redir.net": candidate = query("url", of: url)
        case "vk.com": candidate = isPath("/away.php", of: url) ? query("to", of: url) : nil
        default: candidate = nil
        }
        guard let candidate, isHTTP(candidate) else { return nil }
        return candidate
    }

    private static func google(_ url: String) -> String? {
        if isPath("/url", of: url) { return query("q", of: url) ?? query("url", of: url) }
        return acceleratedPage(url, behind: ["/amp/"])
    }

    /// `/amp/s/HOST/PATH` is `https://HOST/PATH`; without the `s` it is http.
    private static func acceleratedPage(_ url: String, behind marks: [String]) -> String? {
        guard let scheme = url.firstRange(of: "://"),
            let path = url[scheme.upperBound...].firstIndex(of: "/").map({ url[$0...] }),
            let mark = marks.first(where: { path.hasPrefix($0) })
        else { return nil }
        let rest = path.dropFirst(mark.count)
        let target = rest.hasPrefix("s/") ? "https://" + rest.dropFirst(2) : "http://" + rest
        return target.dropFirst(8).prefix { $0 != "/" }.contains(".") ? target : nil
    }

    /// `?https://…` without a name.
    private static func bareQuery(of url: String) -> String? {
        url.firstIndex(of: "?").map { String(url[url.index(after: $0)...]) }
    }

    private static func isHTTP(_ url: String) -> Bool {
        let start = url.prefix(8).lowercased()
        return (start.hasPrefix("http://") || start == "https://") && !url.contains { $0.isWhitespace }
    }

    private static func host(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        return url[scheme.upperBound...].prefix { !"/?#:@".contains($0) }.lowercased()
    }

    private static func isPath(_ path: String, of url: String) -> Bool {
        guard let scheme = url.firstRange(of: "://") else { return false }
        let rest = url[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        return rest.prefix { $0 != "?" && $0 != "#" } == path
    }

    private static func query(_ name: String, of url: String) -> String? {
        guard let mark = url.firstIndex(of: "?") else { return nil }
        for item in url[url.index(after: mark)...].prefix(while: { $0 != "#" }).split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, pair[0].lowercased() == name { return percentDecoded(pair[1]) }
        }
        return nil
    }

    /// Version 2 writes `-3A__` for `://`; version 3 keeps the link between double underscores.
    private static func proofpoint(_ url: String) -> String? {
        if let start = url.firstRange(of: "/v3/__")?.upperBound,
            let end = url[start...].firstRange(of: "__;")?.lowerBound
        {
            let inner = String(url[start..<end])
            // Version 3 stands `*` for characters that are listed behind; those few links stay wrapped.
            return inner.contains("*") ? nil : inner
        }
        guard url.contains("/v2/url"), let coded = query("u", of: url) else { return nil }
        return percentDecoded(coded.map { $0 == "-" ? "%" : $0 == "_" ? "/" : String($0) }.joined()[...])
    }

    private static func percentDecoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = hexDigit(rest[rest.startIndex]),
                let low = hexDigit(rest[rest.startIndex + 1])
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
