/// The pictures of one block of JSON-LD (schema.org).
struct LinkedData {
    /// A picture with how well its thing stands for the page; the lowest comes first.
    typealias Ranked = (picture: FoundPicture, rank: Int)

    private let root: LenientJSON
    /// Things by `@id`, so that `"image": {"@id": "#main"}` is found.
    private var things: [String: LenientJSON] = [:]

    private static let deepest = 6

    init(_ root: LenientJSON) {
        self.root = root
        index(root, depth: 0)
    }

    var pictures: [Ranked] { pictures(of: root, depth: 0) }

    private mutating func index(_ value: LenientJSON, depth: Int) {
        guard depth < Self.deepest else { return }
        switch value {
        case .array(let values): for value in values { index(value, depth: depth + 1) }
        case .object(let fields):
            if let id = fields["@id"]?.text, fields.count > 1 { things[id] = value }
            for value in fields.values { index(value, depth: depth + 1) }
        case .text, .number, .other: break
        }
    }

    private func pictures(of value: LenientJSON, depth: Int) -> [Ranked] {
        guard depth < Self.deepest else { return [] }
        switch value {
        case .array(let values): return values.flatMap { pictures(of: $0, depth: depth + 1) }
        case .object(let fields):
            let rank = Self.rank(of: fields["@type"])
            var found: [Ranked] = []
            if let rank {
                for key in ["image", "primaryImageOfPage", "thumbnailUrl", "thumbnail"] {
                    found += (fields[key]?.list ?? []).compactMap { picture($0) }.map { ($0, rank) }
                }
                if Self.isPicture(fields["@type"]), let own = picture(value) { found.append((own, rank)) }
            }
            for key in ["@graph", "mainEntity", "mainEntityOfPage", "itemReviewed", "hasPart", "video"] {
                if let inner = fields[key] { found += pictures(of: inner, depth: depth + 1) }
            }
            return found
        case .text, .number, .other: return []
        }
    }

    private func picture(_ value: LenientJSON, depth: Int = 0) -> FoundPicture? {
        switch value {
        case .text(let text): return FoundPicture(text, "json-ld")
        case .object(let fields):
            for key in ["url", "contentUrl", "thumbnailUrl"] {
                if let text = fields[key]?.list.first?.text, !text.isEmpty {
                    return FoundPicture(text, "json-ld", width: fields["width"]?.size, height: fields["height"]?.size)
                }
            }
            guard depth < 2, let id = fields["@id"]?.text else { return nil }
            if let thing = things[id], thing != value { return picture(thing, depth: depth + 1) }
            return id.hasPrefix("http") ? FoundPicture(id, "json-ld") : nil
        case .array(let values): return values.first.flatMap { picture($0, depth: depth + 1) }
        case .number, .other: return nil
        }
    }

    private static func isPicture(_ type: LenientJSON?) -> Bool {
        type?.list.contains { $0.text == "ImageObject" || $0.text == "Photograph" } ?? false
    }

    /// nil for things whose picture is a logo or a face.
    private static func rank(of type: LenientJSON?) -> Int? {
        let names = type?.list.compactMap(\.text) ?? []
        if names.contains(where: { name in strangers.contains { name.hasSuffix($0) } }) { return nil }
        if names.contains(where: { name in mains.contains { name.hasSuffix($0) } }) { return 0 }
        return names.isEmpty ? 2 : 1
    }

    private static let strangers = [
        "Organization", "Person", "Brand", "Corporation", "BreadcrumbList", "ListItem", "SearchAction", "Review",
        "LocalBusiness", "WebSite",
    ]
    private static let mains = [
        "Article", "Posting", "Product", "Recipe", "VideoObject", "Movie", "Book", "Event", "TVSeries", "MusicAlbum",
        "Course", "SoftwareApplication", "VisualArtwork", "HowTo", "Report", "Episode", "Game", "Place",
        "MusicRecording",
    ]
}
