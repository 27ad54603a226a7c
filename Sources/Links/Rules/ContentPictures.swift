import PinpostCore

/// The pictures in the text of a page, best first: for pages that name none.
struct ContentPictures {
    private let page: Page

    /// Smaller ones are ornaments; in pixels, either side.
    private static let smallest = 200
    /// Longer shapes are rulers and banners.
    private static let longestRatio = 4
    private static let mostPictures = 400

    init(_ page: Page) { self.page = page }

    var pictures: [FoundPicture] {
        var ranked: [(picture: FoundPicture, score: Int)] = []
        var sources: [PageOutline.Element] = []
        for (order, element) in page.elements.enumerated() where ranked.count < Self.mostPictures {
            switch element.name {
            case "source": if element.place.contains(.picture) { sources.append(element) }
            case "video":
                if let poster = FoundPicture(element.attributes["poster"], "video poster") {
                    ranked.append((poster, 900 + placeScore(element)))
                }
            case "img", "amp-img", "image", "amp-anim":
                if let (picture, score) = judged(element, with: sources) { ranked.append((picture, score - order / 8)) }
                sources = []
            default: break
            }
        }
        return ranked.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element.picture)
    }

    private func judged(
        _ element: PageOutline.Element, with sources: [PageOutline.Element]
    ) -> (FoundPicture, Int)? {
        guard let best = best(of: element, with: sources), let address = page.resolved(best.reference),
            !Rejects.looksLikeOrnament(address, element)
        else { return nil }
        let (width, height) = (size(of: element, "width"), size(of: element, "height"))
        if let width, width < Self.smallest, (best.width ?? 0) < Self.smallest { return nil }
        if let height, height < Self.smallest, (best.width ?? 0) < 2 * Self.smallest { return nil }
        if let width, let height, max(width, height) > Self.longestRatio * min(width, height) { return nil }
        guard let picture = FoundPicture(best.reference, "content", width: best.width ?? width, height: height) else {
            return nil
        }
        let extent = best.width ?? width ?? 400
        return (picture, placeScore(element) + min(extent, 2_000) / 4)
    }

    private func placeScore(_ element: PageOutline.Element) -> Int {
        var score = 0
        let place = element.place
        if place.contains(.article) { score += 400 }
        if place.contains(.main) { score += 250 }
        if place.contains(.figure) { score += 100 }
        if !place.isDisjoint(with: [.aside, .nav, .footer]) { score -= 800 }
        if place.contains(.header), place.isDisjoint(with: [.article, .main]) { score -= 400 }
        let words = Set(Rejects.words(in: element.surroundings))
        if !words.isDisjoint(with: Self.contentWords) { score += 250 }
        return score
    }

    private static let contentWords: Set<Substring> = [
        "content", "entry", "post", "article", "story", "body", "hero", "featured", "gallery", "main", "photo",
        "product",
    ]

    /// The widest of `srcset`, the lazy attributes and `src`.
    private func best(
        of element: PageOutline.Element, with sources: [PageOutline.Element]
    ) -> (reference: String, width: Int?)? {
        let attributes = element.attributes
        var choices: [(reference: String, width: Int?)] = []
        for set in sources.map(\.attributes) + [attributes] {
            for (key, value) in set.sorted(by: { $0.key < $1.key }) where key.contains("srcset") {
                if let best = SrcSet(value).best { choices.append(best) }
            }
        }
        if let wide = choices.filter({ $0.width != nil && isUsable($0.reference) })
            .max(by: { ($0.width ?? 0) < ($1.width ?? 0) })
        {
            return wide
        }
        for key in Self.lazyAttributes {
            if let value = attributes[key], isUsable(value) { choices.append((value, nil)) }
        }
        for (key, value) in attributes.sorted(by: { $0.key < $1.key })
        where key.hasPrefix("data-") && key.hasSuffix("src") && isUsable(value) { choices.append((value, nil)) }
        if let source = attributes["src"] { choices.append((source, nil)) }
        return choices.first { isUsable($0.reference) }
    }

    private static let lazyAttributes = [
        "data-full-src", "data-large-file", "data-original", "data-src", "data-lazy-src", "data-lazy", "data-actualsrc",
        "data-hi-res-src", "data-image-src", "data-src-large", "data-delayed-url", "data-url", "original", "lazy-src",
        "data-echo", "data-ks-lazyload", "data-cfsrc",
    ]

    private func isUsable(_ reference: String) -> Bool {
        guard !reference.hasPrefix("data:"), let address = page.resolved(reference) else { return false }
        return !Rejects.forbids(address)
    }

    /// A side as the page gives it, in pixels.
    private func size(of element: PageOutline.Element, _ side: String) -> Int? {
        let text = element.attributes[side] ?? element.attributes["data-\(side)"]
        guard let text, !text.contains("%") else { return nil }
        return Int(pixels: text)
    }
}
