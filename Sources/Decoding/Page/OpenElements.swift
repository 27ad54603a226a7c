import DecoderProtocol

/// The elements around the one that is read, from the root on.
struct OpenElements {
    private struct Entry {
        let name: String
        let place: OutlineElement.Place
        let words: String
        let link: String
        let isText: Bool
    }

    private var entries: [Entry] = []

    /// Deeper nesting is a trick; what is below counts as standing there.
    private static let deepest = 256
    private static let wordsOfOne = 80
    private static let neighbours = 8

    var place: OutlineElement.Place { entries.last?.place ?? [] }
    var link: String { entries.last?.link ?? "" }

    /// Tags inside these are text to browsers (HTML, section 13.2.5.2); libxml2 reads them all the same.
    var isText: Bool { entries.last?.isText ?? false }

    /// `class` and `id` of the nearest elements.
    var surroundings: String {
        entries.suffix(Self.neighbours).reversed().map(\.words).filter { !$0.isEmpty }.joined(separator: " ")
    }

    mutating func push(_ name: String, _ attributes: [String: String]) {
        guard entries.count < Self.deepest else { return }
        // What the whole page is called says nothing about one picture: `class="with-sidebar has-comments"`.
        let isPage = name == "html" || name == "body"
        let words =
            isPage
            ? "" : [attributes["class"], attributes["id"]].compactMap(\.self).joined(separator: " ").lowercased()
        let href = name == "a" ? attributes["href"] ?? "" : link
        let role = Self.places[attributes["role"] ?? ""] ?? []
        entries.append(
            Entry(
                name: name, place: place.union(Self.places[name] ?? []).union(role),
                words: String(decoding: words.utf8.prefix(Self.wordsOfOne), as: UTF8.self),
                link: href.utf8.count <= OutlineElement.Limit.value ? href : "",
                isText: isText || Self.texts.contains(name)))
    }

    /// Closes the nearest element of that name and what was left open inside.
    mutating func pop(_ name: String) {
        guard let index = entries.lastIndex(where: { $0.name == name }) else { return }
        entries.removeSubrange(index...)
    }

    private static let texts: Set<String> = ["textarea", "xmp", "iframe", "noembed", "noframes"]
    private static let places: [String: OutlineElement.Place] = [
        "article": .article, "main": .main, "aside": .aside, "complementary": .aside, "nav": .nav,
        "navigation": .nav, "header": .header, "banner": .header, "footer": .footer, "contentinfo": .footer,
        "noscript": .noscript, "figure": .figure, "picture": .picture, "button": .button,
    ]
}
