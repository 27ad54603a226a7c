import PinpostCore

/// What a page says of itself in words.
struct PageWords {
    let title: String?
    let description: String?
    let site: String?

    /// In characters; what is longer ends with an ellipsis.
    private static let longestTitle = 300
    private static let longestDescription = 600
    private static let longestSite = 80

    init(_ page: Page, embed: OEmbed?) {
        let metadata = page.metadata
        let element = page.elements.first { $0.name == "title" && !$0.text.folded.isEmpty }?.text
        let heading = page.elements.first { $0.name == "h1" && !$0.text.folded.isEmpty }?.text
        title = Self.cut(
            metadata.first("og:title", "twitter:title") ?? embed?.title ?? element ?? metadata.first("title")
                ?? heading,
            Self.longestTitle)
        description = Self.cut(
            metadata.first("og:description", "description", "twitter:description", "dc.description"),
            Self.longestDescription)
        site = Self.cut(
            metadata.first("og:site_name", "application-name", "al:android:app_name") ?? embed?.site, Self.longestSite)
    }

    private static func cut(_ text: String?, _ limit: Int) -> String? {
        guard let text = text?.folded, !text.isEmpty else { return nil }
        return text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }
}
