/// The link of a page as it is pinned: without wrappers and without what only follows people around.
///
/// The rest stays as it was written. Links of pictures are never cleaned: they may be signed.
public enum PageLink {
    public static func cleaned(_ url: String) -> String {
        let unwrapped = LinkUnwrapper.unwrapped(url)
        guard let scheme = unwrapped.firstRange(of: "://") else { return unwrapped }
        let host = DefaultDescription.host(of: unwrapped).lowercased()
        let mark = unwrapped[scheme.upperBound...].firstIndex(of: "#") ?? unwrapped.endIndex
        let body = unwrapped[..<mark]
        let fragment = mark < unwrapped.endIndex ? unwrapped[unwrapped.index(after: mark)...] : ""
        return withoutTracking(body, host: host) + (matters(fragment) ? "#\(fragment)" : "")
    }

    private static func withoutTracking(_ url: Substring, host: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return String(url) }
        let query = url[url.index(after: mark)...]
        let kept = query.split(separator: "&", omittingEmptySubsequences: false).filter { item in
            !TrackingParameters.contains(item.prefix { $0 != "=" }.lowercased(), on: host)
        }
        // A query without such parameters stays to the letter.
        guard kept.count < query.split(separator: "&", omittingEmptySubsequences: false).count else {
            return String(url)
        }
        return url[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    /// A place or a route on the page matters; what points at words or counts clicks does not.
    private static func matters(_ fragment: Substring) -> Bool {
        guard !fragment.isEmpty else { return false }
        if fragment.hasPrefix(":~:") { return false }
        let name = fragment.prefix { $0 != "=" }.lowercased()
        return !(TrackingParameters.contains(name, on: "") && fragment.contains("="))
    }
}
