import PinpostCore

/// The chain of rules: which picture stands for a page, best first.
///
/// Pure: the page was fetched and taken apart before, and nothing is fetched here.
struct PictureRules {
    private let page: Page
    private let embed: OEmbed?

    /// More than these nobody will try.
    static let mostCandidates = 24

    init(_ page: Page, embed: OEmbed?) {
        self.page = page
        self.embed = embed
    }

    /// Every picture that may stand for the page, in the order in which they are to be tried.
    var candidates: [OfferedPicture] {
        var seen: Set<String> = []
        var found: [OfferedPicture] = []
        for picture in declared + linkedData + ContentPictures(page).pictures {
            guard let address = page.resolved(picture.reference), !Rejects.forbids(address),
                seen.insert(address.text).inserted
            else { continue }
            found.append(
                OfferedPicture(
                    url: address.text, rule: picture.rule, width: picture.width, height: picture.height))
            if found.count == Self.mostCandidates { break }
        }
        return found
    }

    /// What the page names as its picture.
    private var declared: [FoundPicture] {
        let metadata = page.metadata
        var found = embed?.pictures ?? []
        found += structured("og:image", ["og:image:secure_url", "og:image:url", "og:image"])
        found += structured("twitter:image", ["twitter:image:src", "twitter:image", "twitter:image0"])
        found += page.links("image_src").compactMap { FoundPicture($0.attributes["href"], "image_src") }
        found += page.elements.compactMap(Self.microdata)
        for name in ["thumbnail", "thumbnailurl", "image", "sailthru.image.full", "parsely-image-url", "dc.image"] {
            found += metadata.all(name).compactMap { FoundPicture($0, name) }
        }
        return found
    }

    /// Open Graph puts the size of a picture behind its address (ogp.me, structured properties).
    private func structured(_ prefix: String, _ names: [String]) -> [FoundPicture] {
        let entries = page.metadata.entries
        return names.flatMap { name in
            entries.indices.filter { entries[$0].name == name }.compactMap { index in
                let facts = entries[(index + 1)...].prefix { $0.name != prefix && $0.name.hasPrefix(prefix + ":") }
                func size(_ side: String) -> Int? {
                    facts.first { $0.name == "\(prefix):\(side)" }.flatMap { Int(pixels: $0.content.folded) }
                }
                return FoundPicture(entries[index].content, name, width: size("width"), height: size("height"))
            }
        }
    }

    private static func microdata(_ element: PageOutline.Element) -> FoundPicture? {
        let properties = element.attributes["itemprop"]?.lowercased().split(separator: " ") ?? []
        guard properties.contains(where: { ["image", "thumbnailurl", "primaryimageofpage"].contains($0) }) else {
            return nil
        }
        let address = ["content", "href", "src", "data-src"].lazy.compactMap { element.attributes[$0] }.first
        return FoundPicture(address, "itemprop")
    }

    private var linkedData: [FoundPicture] {
        page.elements.filter { $0.name == "script" && $0.attributes["type"] != nil }
            .compactMap { LenientJSON($0.text) }.flatMap { LinkedData($0).pictures }
            .sorted { $0.rank < $1.rank }.map(\.picture)
    }
}

/// A picture as a rule finds it, not resolved yet.
struct FoundPicture: Hashable, Sendable {
    let reference: String
    let rule: String
    let width: Int?
    let height: Int?

    /// nil where there is no reference.
    init?(_ reference: String?, _ rule: String, width: Int? = nil, height: Int? = nil) {
        guard let reference, !reference.folded.isEmpty else { return nil }
        // Escaped for HTML twice, or once too often for JSON: no address has `&amp;` in it.
        self.reference = reference.replacing("&amp;", with: "&")
        self.rule = rule
        self.width = width
        self.height = height
    }
}
