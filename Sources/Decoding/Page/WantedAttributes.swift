import DecoderProtocol

/// Which elements and attributes are worth listing.
enum WantedAttributes {
    /// The attributes to keep; nil where the element does not matter.
    static func kept(of name: String, _ all: [String: String]) -> [String: String]? {
        let wanted: [String]
        switch name {
        case "title", "h1": return [:]
        case "base": wanted = ["href"]
        case "meta": wanted = ["property", "name", "itemprop", "http-equiv", "content", "value"]
        case "link": wanted = ["rel", "href", "type", "itemprop", "title", "sizes", "as", "imagesrcset"]
        case "img", "amp-img", "source": return picture(all)
        case "image", "amp-anim": return picture(all)
        case "video": wanted = ["poster", "data-poster", "class", "id"]
        case "input": return all["type"]?.lowercased() == "password" ? ["type": "password"] : nil
        case "form", "iframe": wanted = ["action", "src", "id", "class", "title"]
        case "script":
            let isLinkedData = all["type"]?.lowercased().contains("ld+json") == true
            guard isLinkedData else { return scriptSource(all) }
            wanted = ["type"]
        default: return marked(all)
        }
        return chosen(wanted, of: all)
    }

    /// Whether the text inside is listed as well.
    static func hasText(_ name: String) -> Bool { ["title", "h1", "script"].contains(name) }

    /// Sources of scripts tell a captcha from a page.
    private static func scriptSource(_ all: [String: String]) -> [String: String]? {
        guard let source = all["src"], source.contains("captcha") || source.contains("challenge") else { return nil }
        return ["src": bounded(source)]
    }

    /// Lazy loaders invent a name each; what they have in common is that it begins with `data-`.
    private static func picture(_ all: [String: String]) -> [String: String] {
        let fixed = ["src", "srcset", "alt", "title", "width", "height", "class", "id", "itemprop", "style", "sizes"]
        var kept = chosen(fixed, of: all)
        for (key, value) in all where kept.count < OutlineElement.Limit.attributes {
            let isLazy = key.hasPrefix("data-") || key.contains("src") || key.contains("lazy") || key == "original"
            if isLazy, looksLikeAddress(value) || key.contains("width") || key.contains("height") {
                kept[key] = bounded(value)
            }
        }
        return kept
    }

    private static func looksLikeAddress(_ value: String) -> Bool {
        guard (5...OutlineElement.Limit.value).contains(value.utf8.count) else { return false }
        return value.contains("/") || value.contains(".")
    }

    /// Microdata may stand on any element, a picture as a background too.
    private static func marked(_ all: [String: String]) -> [String: String]? {
        let property = all["itemprop"]?.lowercased() ?? ""
        let isPicture = property.contains("image") || property.contains("thumbnail") || property == "contenturl"
        guard isPicture else { return nil }
        return chosen(["itemprop", "content", "href", "src", "style", "data-src"], of: all)
    }

    private static func chosen(_ wanted: [String], of all: [String: String]) -> [String: String] {
        var kept: [String: String] = [:]
        for key in wanted { if let value = all[key], !value.isEmpty { kept[key] = bounded(value) } }
        return kept
    }

    /// A giant is cut where it is text; half a data: URL or another address is worth nothing.
    private static func bounded(_ value: String) -> String {
        if value.utf8.count <= OutlineElement.Limit.value { return value }
        return value.contains(where: \.isWhitespace) ? String(value.prefix(512)) : ""
    }
}
