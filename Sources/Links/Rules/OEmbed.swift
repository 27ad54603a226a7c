import PinpostCore

/// What a site says of a page when asked in its own words (oembed.com).
struct OEmbed: Sendable {
    let pictures: [FoundPicture]
    let title: String?
    let site: String?

    /// Reads an answer in JSON; nil where it is none.
    init?(_ json: String) {
        guard let answer = LenientJSON(json), case .object = answer else { return nil }
        var pictures: [FoundPicture?] = []
        if answer["type"]?.text == "photo" {
            pictures.append(
                FoundPicture(
                    answer["url"]?.text, "oembed", width: answer["width"]?.size, height: answer["height"]?.size))
        }
        pictures.append(
            FoundPicture(
                answer["thumbnail_url"]?.text, "oembed thumbnail", width: answer["thumbnail_width"]?.size,
                height: answer["thumbnail_height"]?.size))
        self.pictures = pictures.compactMap(\.self)
        title = answer["title"]?.text.flatMap { $0.folded.isEmpty ? nil : $0.folded }
        site = answer["provider_name"]?.text.flatMap { $0.folded.isEmpty ? nil : $0.folded }
    }

    /// Where to ask: what the page names, or what is known of its host.
    static func address(for page: Page) -> WebAddress? {
        let links = page.links("alternate") + page.links("alternative")
        let named = links.first { link in
            let type = link.attributes["type"]?.lowercased() ?? ""
            return type.hasPrefix("application/json+oembed") || type.hasPrefix("text/json+oembed")
        }
        return page.resolved(named?.attributes["href"]) ?? KnownHosts.embedAddress(of: page.address)
    }
}
