import Administration
import Links
import Media
import PinpostCore

/// `explain --as page`: which picture of a saved page would be taken, without any network.
struct ExplainPage {
    private static let limit = 16 << 20

    let page: [UInt8]
    /// Where it was found; nil leaves that to the page itself.
    let url: String?
    let contentType: String?
    /// The site's oEmbed answer.
    let embed: [UInt8]?

    func report() async throws -> PageExplanation {
        if let url, let picture = DirectPicture(url, answering: page) { return PageExplanation(picture) }
        let reader = SandboxedPageReader(DecoderPool(try .besideRunningProgram()))
        return try explanation(
            of: try await reader.outline(of: PageText.decode(page, contentType: contentType)))
    }

    /// What the rules make of the page's elements.
    func explanation(of outline: PageOutline) throws -> PageExplanation {
        guard let url = url ?? Self.ownAddress(of: outline) else {
            throw UsageError("The page does not say where it was found: add --url URL.")
        }
        let embed = embed.map { String(decoding: $0.prefix(Self.limit), as: UTF8.self) }
        do {
            return PageExplanation(try PageFindings(outline, at: url, embed: embed))
        } catch {
            throw UsageError("\(url) is no http or https address; add --url URL.")
        }
    }

    /// What a saved page calls its address.
    private static func ownAddress(of outline: PageOutline) -> String? {
        let named = outline.elements.lazy.compactMap { element -> String? in
            switch (element.name, element.attributes["rel"]?.lowercased(), element.attributes["property"]) {
            case ("link", "canonical", _): element.attributes["href"]
            case ("meta", _, "og:url"): element.attributes["content"]
            default: nil
            }
        }
        return named.first { $0.hasPrefix("http://") || $0.hasPrefix("https://") }
    }
}

/// What `explain --as page --json` prints.
struct PageExplanation: Encodable, Sendable {
    struct Candidate: Encodable, Sendable {
        let url: String
        let rule: String
        @Nullable var width: Int?
        @Nullable var height: Int?
    }

    @Nullable var image: String?
    @Nullable var rule: String?
    let candidates: [Candidate]
    @Nullable var title: String?
    @Nullable var description: String?
    @Nullable var site: String?
    @Nullable var oembedURL: String?
    /// For people only.
    let hindrance: String?

    enum CodingKeys: String, CodingKey {
        case image, rule, candidates, title, description, site
        case oembedURL = "oembed_url"
    }

    init(_ findings: PageFindings) {
        candidates = findings.candidates.map {
            Candidate(
                url: $0.url, rule: $0.rule, width: $0.width, height: $0.height)
        }
        _image = Nullable(wrappedValue: findings.candidates.first?.url)
        _rule = Nullable(wrappedValue: findings.candidates.first?.rule)
        _title = Nullable(wrappedValue: findings.title)
        _description = Nullable(wrappedValue: findings.description)
        _site = Nullable(wrappedValue: findings.site)
        _oembedURL = Nullable(wrappedValue: findings.embedAddress)
        hindrance = findings.hindrance
    }

    /// The link leads to the picture itself.
    init(_ picture: DirectPicture) {
        let found = Candidate(
            url: picture.url, rule: DirectPicture.rule, width: picture.size?.width, height: picture.size?.height)
        candidates = [found]
        _image = Nullable(wrappedValue: found.url)
        _rule = Nullable(wrappedValue: found.rule)
        (_title, _description) = (Nullable(wrappedValue: nil), Nullable(wrappedValue: nil))
        (_site, _oembedURL) = (Nullable(wrappedValue: nil), Nullable(wrappedValue: nil))
        hindrance = nil
    }

    var text: String {
        var rows = [
            ["picture", image.map { "\($0)  (\(rule ?? ""))" } ?? "none: a card would be drawn"],
            ["title", title ?? "-"], ["description", description ?? "-"], ["site", site ?? "-"],
        ]
        if let hindrance { rows.append(["instead", "the page is \(hindrance)"]) }
        for candidate in candidates.dropFirst() { rows.append(["or", "\(candidate.url)  (\(candidate.rule))"]) }
        if let oembedURL { rows.append(["oembed", oembedURL]) }
        return TextTable(rows).text
    }
}
