import PinpostCore

/// Where a site keeps the icon that stands for it, the best first.
enum SiteIcons {
    /// More of them are not asked for.
    private static let most = 3

    /// Icons for home screens before those for tabs, the larger before the smaller, and last the place that needs no
    /// word (`/favicon.ico`).
    static func addresses(of page: Page) -> [String] {
        let touch = page.links("apple-touch-icon") + page.links("apple-touch-icon-precomposed")
        let named = (ranked(touch) + ranked(page.links("icon"))).compactMap { page.resolved($0.attributes["href"]) }
        let drawn = named.filter { !$0.fileName.lowercased().hasSuffix(".svg") }.map(\.text)
        var seen: Set<String> = []
        return (drawn.prefix(most - 1) + ["\(page.address.origin)/favicon.ico"]).filter { seen.insert($0).inserted }
    }

    private static func ranked(_ links: [PageOutline.Element]) -> [PageOutline.Element] {
        links.enumerated().sorted { (size(of: $1.element), $0.offset) < (size(of: $0.element), $1.offset) }
            .map(\.element)
    }

    /// The largest side that `sizes` promises, in pixels; what is too large for a card's corner comes last.
    private static func size(of link: PageOutline.Element) -> Int {
        let sides = (link.attributes["sizes"] ?? "").lowercased().split(separator: " ").compactMap { size in
            Int(pixels: size)
        }
        return sides.filter { $0 <= SiteIcon.largest }.max() ?? 0
    }
}
