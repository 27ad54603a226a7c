/// A picture that a page offers, with the rule that found it.
public struct OfferedPicture: Sendable, Hashable, Codable {
    /// Absolute, http or https.
    public let url: String
    /// In short words, such as `og:image`, `oembed`, `json-ld` or `content`.
    public let rule: String
    /// Pixels, as the page says; nil where it does not.
    public let width: Int?
    public let height: Int?

    public init(url: String, rule: String, width: Int? = nil, height: Int? = nil) {
        self.url = url
        self.rule = rule
        self.width = width
        self.height = height
    }
}
