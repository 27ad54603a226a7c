import PinpostCore

/// `<meta http-equiv="refresh" content="0; url=…">`: a redirect that hides in the page.
enum MetaRefresh {
    /// A page that waits longer wants to be read first, in seconds.
    private static let longestDelay = 10

    /// Where it leads; nil where the page stays, also where it only loads itself again.
    static func target(of page: Page) -> WebAddress? {
        let content = page.elements.first { element in
            element.name == "meta" && element.attributes["http-equiv"]?.lowercased() == "refresh"
                && !element.place.contains(.noscript)
        }?.attributes["content"]
        guard let content, let separator = content.firstIndex(where: { $0 == ";" || $0 == "," }),
            let delay = Int(content[..<separator].folded), delay <= longestDelay
        else { return nil }
        var rest = content[content.index(after: separator)...].drop(while: \.isWhitespace)
        if rest.lowercased().hasPrefix("url") {
            rest = rest.dropFirst(3).drop(while: \.isWhitespace)
            guard rest.first == "=" else { return nil }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
        }
        if let quote = rest.first, quote == "'" || quote == "\"" { rest = rest.dropFirst().prefix { $0 != quote } }
        let target = page.address.resolving(String(rest))
        return target?.withoutFragment == page.address.withoutFragment ? nil : target
    }
}

extension Substring {
    fileprivate var folded: String { String(self).folded }
}
