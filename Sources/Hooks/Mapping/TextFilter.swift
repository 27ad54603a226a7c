internal import PinpostCore

/// A small step between what a pointer found and a field; never fails, and its cost grows with the text alone.
enum TextFilter: Sendable, Hashable {
    /// The first http(s) link in a text.
    case firstURL
    /// Each `#word` without its sign.
    case hashtags
    /// The pieces between commas, or between what stands in the brackets.
    case split(String)
    /// Text without tags, with entities decoded.
    case stripHTML
    /// The text that base64 holds; nothing where it is not UTF-8. A picture needs no filter.
    case base64

    static let names = ["first_url", "hashtags", "split", "split(SEPARATOR)", "strip_html", "base64"]
    private static let mostPieces = 1_000

    init?(_ text: String) {
        switch text {
        case "first_url": self = .firstURL
        case "hashtags": self = .hashtags
        case "split": self = .split(",")
        case "strip_html": self = .stripHTML
        case "base64": self = .base64
        default:
            guard text.hasPrefix("split("), text.hasSuffix(")"), (8...15).contains(text.count) else { return nil }
            self = .split(String(text.dropFirst(6).dropLast()))
        }
    }

    func apply(to text: String) -> [String] {
        switch self {
        case .firstURL: LinkFinder.links(in: text).prefix(1).map(\.url)
        case .hashtags: MessageGrammar.wishes(caption: text, knownBoards: []).tags
        case .split(let separator):
            text.split(separator: separator, maxSplits: Self.mostPieces).map(\.trimmed).filter { !$0.isEmpty }
        case .stripHTML: [HTMLText.plain(text)]
        case .base64:
            SignatureEncoding.base64.decode(text).flatMap { String(validating: $0, as: UTF8.self) }.map { [$0] } ?? []
        }
    }
}
