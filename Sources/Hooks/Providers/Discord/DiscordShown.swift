/// What a message shows without a word or a file of its own: the embeds and components that bots put into it.
struct DiscordShown {
    struct Picture {
        let url: String
        let type: String?
    }

    private(set) var text: String?
    private(set) var pictures: [Picture] = []
    private(set) var links: [String] = []
    /// The page to which all embeds with pictures lead; several pages are no source.
    private(set) var source: String?

    /// Discord allows 10 embeds and 40 components.
    private static let mostParts = 50
    private static let deepest = 8

    /// The kinds of component that hold something (discord.com/developers/docs/components/reference).
    private enum Kind {
        static let text = 10
        static let thumbnail = 11
        static let gallery = 12
        static let file = 13
    }

    init(_ message: JSONTree) {
        var pages: Set<String> = []
        for embed in message["embeds"]?.elements.prefix(Self.mostParts) ?? [] {
            if let picture = add(embed) { pages.insert(picture) }
        }
        if pages.count == 1 { source = pages.first { !$0.isEmpty } }
        for component in message["components"]?.elements.prefix(Self.mostParts) ?? [] { add(component, depth: 0) }
    }

    /// The page of an embed that has a picture, empty without one; nil where there is no picture.
    private mutating func add(_ embed: JSONTree) -> String? {
        text = text ?? embed["title"]?.text ?? embed["description"]?.text
        let page = embed["url"]?.text
        // A small picture beside a link stands for the page, which has a better one.
        let small = page == nil ? embed["thumbnail"]?["url"]?.text : nil
        guard let picture = embed["image"]?["url"]?.text ?? small else {
            if let page { links.append(page) }
            return nil
        }
        pictures.append(Picture(url: picture, type: nil))
        return page ?? ""
    }

    private mutating func add(_ component: JSONTree, depth: Int) {
        guard depth < Self.deepest else { return }
        switch component["type"]?.int {
        case Kind.text: text = text ?? component["content"]?.text
        case Kind.thumbnail: add(media: component["media"])
        case Kind.gallery:
            for item in component["items"]?.elements.prefix(Self.mostParts) ?? [] { add(media: item["media"]) }
        case Kind.file: add(media: component["file"])
        default: break
        }
        if let accessory = component["accessory"] { add(accessory, depth: depth + 1) }
        for inner in component["components"]?.elements.prefix(Self.mostParts) ?? [] { add(inner, depth: depth + 1) }
    }

    private mutating func add(media: JSONTree?) {
        guard let url = media?["url"]?.text else { return }
        pictures.append(Picture(url: url, type: media?["content_type"]?.text))
    }
}
