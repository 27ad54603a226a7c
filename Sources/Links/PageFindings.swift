public import PinpostCore

/// What the rules find on one page: a pure function of the page, its address and the site's oEmbed answer.
public struct PageFindings: Sendable, Hashable {
    /// Best first; empty where the page is not the one that was meant.
    public let candidates: [OfferedPicture]
    public let title: String?
    public let description: String?
    /// The site's own name.
    public let site: String?
    /// Where the site answers in oEmbed; absolute.
    public let embedAddress: String?
    /// The original of a copy for phones (AMP).
    public let canonical: String?
    /// Icons of the site, the best first; absolute.
    public let icons: [String]
    /// The page is a log-in, a captcha or the like: what it is in words.
    public let hindrance: String?
    /// Where a `meta` refresh without delay sends a browser.
    public let refreshTarget: String?

    /// - Parameters:
    ///   - outline: The elements of the page.
    ///   - url: Where it was found, after redirects.
    ///   - asked: Where it was looked for; `url` where nil.
    ///   - embed: The site's oEmbed answer in JSON.
    /// - Throws: `.refused` when `url` is no http(s) address.
    public init(_ outline: PageOutline, at url: String, asked: String? = nil, embed: String? = nil) throws(LinkError) {
        guard let address = WebAddress(url) else { throw LinkError(.refused, "The address of the page is none.") }
        let page = Page(outline, at: address)
        let answer = embed.flatMap { OEmbed($0) }
        let words = PageWords(page, embed: answer)
        hindrance = WrongPage.name(
            of: page, titled: words.title, asked: asked.flatMap { WebAddress($0) } ?? address)
        candidates = hindrance == nil ? PictureRules(page, embed: answer).candidates : []
        icons = hindrance == nil ? SiteIcons.addresses(of: page) : []
        title = words.title
        description = words.description
        site = words.site
        embedAddress = OEmbed.address(for: page)?.text
        canonical = Canonical.address(of: page)?.text
        refreshTarget = MetaRefresh.target(of: page)?.text
    }
}
