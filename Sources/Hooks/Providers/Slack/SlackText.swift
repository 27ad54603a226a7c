internal import PinpostCore

/// Slack's way of writing (`mrkdwn`) as plain words, and the links in it.
struct SlackText {
    private(set) var text = ""
    /// http(s), in order.
    private(set) var links: [String] = []

    init(_ source: String) {
        var rest = source[...]
        while let open = rest.firstIndex(of: "<") {
            text += Self.unescaped(rest[..<open])
            guard let close = rest[open...].firstIndex(of: ">") else {
                rest = rest[open...]
                break
            }
            take(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
        }
        text += Self.unescaped(rest)
        text = text.trimmed
    }

    /// What stands between `<` and `>`: a link, a person, a channel, a call to all.
    private mutating func take(_ mark: Substring) {
        let parts = mark.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let (target, label) = (Self.unescaped(parts[0]), parts.count > 1 ? Self.unescaped(parts[1]) : nil)
        switch target.first {
        // A channel's name is no tag.
        case "@", "!", "#": if let label { text += label }
        default:
            let isWeb = target.hasPrefix("http://") || target.hasPrefix("https://")
            if isWeb { links.append(target) }
            // A label that is the address again says nothing.
            if let label, !target.hasSuffix(label) { text += label } else if !isWeb { text += label ?? target }
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        return String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
