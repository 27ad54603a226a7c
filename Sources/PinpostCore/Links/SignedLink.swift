/// Links that carry their own key: whoever has the link has the file, for a while.
public enum SignedLink {
    /// As a pin and a list may show it: without the key, or nil where nothing but the key made it of use.
    ///
    /// What is not signed stays to the letter.
    public static func shown(_ url: String) -> String? {
        let host = DefaultDescription.host(of: url).lowercased()
        if slack.contains(where: { host == $0 || host.hasSuffix(".\($0)") }), url.contains("/files-") { return nil }
        guard let mark = url.firstIndex(of: "?") else { return url }
        let end = url[mark...].firstIndex(of: "#") ?? url.endIndex
        let items = url[url.index(after: mark)..<end].split(separator: "&", omittingEmptySubsequences: false)
        let isDiscords = discord.contains { host == $0 || host.hasSuffix(".\($0)") }
        let kept = items.filter { !isKey($0.prefix { $0 != "=" }.lowercased(), isDiscords: isDiscords) }
        guard kept.count < items.count else { return url }
        let rest = kept.filter { !$0.isEmpty }
        return url[..<mark] + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&")) + url[end...]
    }

    /// As a pin or a card may show it to everybody: without a key, and without secrets of our own; nil where nothing of
    /// use is left.
    public static func published(_ url: String) -> String? { OwnSecrets.removed(from: url).flatMap(shown) }

    private static let slack = ["slack.com", "slack-files.com"]
    private static let discord = ["discordapp.com", "discordapp.net", "discord.com"]

    private static func isKey(_ name: String, isDiscords: Bool) -> Bool {
        if isDiscords, ["ex", "is", "hm"].contains(name) { return true }
        return name.hasPrefix("x-amz-") || name.hasPrefix("x-goog-")
            || ["key-pair-id", "awsaccesskeyid", "googleaccessid"].contains(name)
    }
}
